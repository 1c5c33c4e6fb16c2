//! `cargo x papers table3`: the small functions of the paper on doomed points, with its tools and today's, and
//! what our queries cost.
//!
//! Source: Hoenicke et al., FM 2009, §7, Tables 3 and 4.
//! Departures: each tool gets a file with one of the functions alone (and the small ones that it calls), so
//! that whatever it says is about this function; only errors count, no dead stores and the like.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use capture::{Clang, Unit};
use session::{Compiling, Request, Session, SettingsChoice, SettingsFile, StoreChoice, Watch};
use theorem::module_of;

use super::page::{self, Section};
use super::source;
use crate::corpus::doomed::{self as queries, Measured};
use crate::corpus::peers::process::Limits;
use crate::corpus::peers::tool::{Asked, Tool};
use crate::corpus::peers::work::{self, Outcome};
use crate::corpus::peers::{kinds, results};
use crate::root;

/// A function of the tables, with what the paper says of it.
struct Subject {
    /// The paper's name.
    name: &'static str,
    /// Ours; it ends in `_bad` if there is an error.
    function: &'static str,
    exorcise: f64,
    findbugs: Said,
    spec: f64,
    /// What Spec# says; and how many errors that do not exist.
    spec_says: Said,
    spec_false: usize,
    /// Table 4: queries, and milliseconds for the construction, the first block and each further block.
    queries: Option<[u32; 4]>,
}

/// What a tool says of a function, and whether it is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Right,
    Wrong,
}

use Said::{Right, Wrong};

/// The files that have the functions.
const FILES: [&str; 2] = ["tests/c/doomed/table_3.c", "tests/c/doomed/paper.c"];

const SUBJECTS: [Subject; 17] = [
    subject("fp1", "fp1_ok", 156.0, Right, (39.0, Right, 0), None),
    subject("tp1", "FN_tp1_bad", 171.0, Wrong, (27.0, Right, 0), Some([5, 17, 134, 2])),
    subject("fp2", "fp2_ok", 160.0, Right, (35.0, Right, 0), None),
    subject("tp2", "tp2_bad", 160.0, Wrong, (27.0, Right, 0), None),
    subject("fp3", "fp3_ok", 175.0, Right, (50.0, Right, 0), None),
    subject("tp3", "tp3_bad", 187.5, Right, (58.5, Right, 0), None),
    subject("tp4", "tp4_bad", 109.2, Right, (35.0, Right, 0), None),
    subject("fp4", "fp4_ok", 171.0, Right, (43.0, Right, 0), None),
    subject("tp5", "tp5_bad", 152.0, Right, (15.5, Right, 0), None),
    subject("tp6", "tp6_bad", 144.0, Right, (31.0, Right, 0), None),
    subject("itp1", "FN_itp1_bad", 109.2, Wrong, (15.6, Wrong, 0), None),
    subject("ifp1", "ifp1_ok", 93.6, Right, (46.8, Right, 0), None),
    subject("itp2", "itp2_bad", 15.6, Right, (0.0, Wrong, 0), None),
    subject("itp3", "itp3_bad", 46.8, Right, (15.6, Wrong, 0), None),
    subject("TRIVIAL", "access_trivial_bad", 179.5, Right, (54.5, Right, 0), Some([3, 17, 150, 2])),
    subject("LOOP", "get_min_loop_bad", 699.0, Wrong, (129.0, Right, 3), Some([7, 62, 391, 23])),
    subject("COMPLEX", "update_complex_ok", 246.0, Right, (43.0, Wrong, 2), Some([5, 18, 166, 5])),
];

const fn subject(
    name: &'static str,
    function: &'static str,
    exorcise: f64,
    findbugs: Said,
    (spec, spec_says, spec_false): (f64, Said, usize),
    queries: Option<[u32; 4]>,
) -> Subject {
    Subject { name, function, exorcise, findbugs, spec, spec_says, spec_false, queries }
}

/// What a tool may take for one small function.
const LIMITS: Limits = Limits { seconds: 60, megabytes: 2000 };

const TABLE_3: &str = "\
* *Exorcise*, *Findbugs*, *Spec#*: as the paper has them, on its machine, in milliseconds; Exorcise is right about all. *true pos*: an error that exists, *false pos*: one that does not, *false neg*: an error that is missed, *true neg*: correct code without a message.
* *doomed*: our engine for doomed points alone, in milliseconds from the IR of the function. *indict*: all that a user is shown. The others get the same file, with one of the functions alone; *ms* is the time of the whole process.
";

const TABLE_4: &str = "\
* *paper*: queries, and milliseconds for the construction of the formula, for the first block, and for each further one on average. *ours*: the same in microseconds; the least of 50 runs. Queries of ours are about points that no known execution passes.
";

/// Ask our engines and today's tools about the functions of Table 3, and measure the queries of Table 4.
#[derive(clap::Args)]
pub(crate) struct Tables {
    /// Only these of the tools; the document is not written then.
    #[arg(long, value_delimiter = ',', value_name = "TOOL")]
    tool: Vec<Tool>,
    /// The clang to compile with.
    #[arg(long)]
    clang: Option<PathBuf>,
}

/// What came out for a function.
struct Row {
    subject: &'static Subject,
    doomed: Measured,
    /// Whether `indict run` shows an error.
    shown: bool,
    /// By tool: milliseconds, and whether it tells an error; or why it does not say.
    tools: Vec<(f64, Result<bool, String>)>,
}

impl Tables {
    pub(crate) fn run(self) -> Result<()> {
        fs::create_dir_all(results())?;
        let wanted = Tool::ALL.iter().filter(|tool| self.tool.is_empty() || self.tool.contains(tool));
        let asked = wanted.map(|&tool| Asked::find(tool)).collect::<Result<Vec<Asked>>>()?;
        let clang = Clang::find(self.clang.as_deref())?;
        let mut rows = Vec::new();
        for subject in &SUBJECTS {
            let row = subject.ask(&clang, &asked);
            rows.push(row.with_context(|| format!("while asking about {}", subject.function))?);
        }
        let tools: Vec<&str> = asked.iter().map(|it| it.tool.id()).collect();
        let (three, four) = (table_3(&rows, &tools), table_4(&rows));
        println!("{three}\n{four}");
        if self.tool.is_empty() {
            let versions: String = asked
                .iter()
                .map(|it| {
                    format!("* {}: `{}`\n", it.version, it.tool.options().join(" ").replace('\t', "\\t"))
                })
                .collect();
            let command = "cargo x papers table3";
            page::publish(Section::Table3, command, &format!("{TABLE_3}{versions}\n```\n{three}```\n"))?;
            page::publish(Section::Table4, command, &format!("{TABLE_4}\n```\n{four}```\n"))?;
        }
        Ok(())
    }
}

impl Subject {
    fn is_bad(&self) -> bool {
        self.function.ends_with("_bad")
    }

    fn ask(&'static self, clang: &Clang, asked: &[Asked]) -> Result<Row> {
        let scratch = tempfile::tempdir()?;
        let file = scratch.path().join(format!("{}.c", self.function));
        let (dir, text) = self.text()?;
        fs::write(&file, text)?;
        let flags = vec![format!("-I{}", dir.display())];
        let units = capture::units_from_files(std::slice::from_ref(&file), &flags);
        let unit = units.into_iter().next().context("a file should be a unit")??;
        let tools = asked.iter().map(|asked| ask(asked, &unit)).collect::<Result<Vec<_>>>()?;
        Ok(Row {
            subject: self,
            doomed: self.measure(clang, &file, &flags)?,
            shown: shown(&file, &flags, scratch.path())?,
            tools,
        })
    }

    /// The file of the function without the others, and where its headers lie.
    fn text(&self) -> Result<(PathBuf, String)> {
        for file in FILES.map(|file| root().join(file)) {
            let text = fs::read_to_string(&file)?;
            if let Some(alone) = alone(&text, self.function) {
                let dir = file.parent().expect("invariant: a file lies in a directory");
                return Ok((dir.to_owned(), alone));
            }
        }
        anyhow::bail!("no test has `{}`", self.function)
    }

    fn measure(&self, clang: &Clang, file: &Path, flags: &[String]) -> Result<Measured> {
        let module = module_of(clang, file, flags)?;
        let project = ::doomed::alone(&module);
        let mut functions = module.functions.iter_ids();
        let found = functions.find(|(_, it)| module.symbols.resolve(it.name) == self.function);
        let (id, _) = found.context("the function should be in its file")?;
        queries::measured(&project, id).context("everything is measured")
    }
}

/// A file with only one of the functions that are about something; lines stay where they are.
fn alone(text: &str, function: &str) -> Option<String> {
    let functions = source::functions(text);
    functions.iter().find(|it| it.name == function)?;
    let is_other = |it: &&source::Function| {
        it.name != function && (it.name.ends_with("_bad") || it.name.ends_with("_ok"))
    };
    let others: Vec<&source::Function> = functions.iter().filter(is_other).collect();
    let is_left_out = |number: usize| others.iter().any(|it| (it.first..=it.last).contains(&number));
    let lines = text.lines().enumerate();
    Some(
        lines
            .map(|(index, line)| if is_left_out(index + 1) { "\n".to_owned() } else { format!("{line}\n") })
            .collect(),
    )
}

/// Whether a user is shown an error.
fn shown(file: &Path, flags: &[String], scratch: &Path) -> Result<bool> {
    let request = Request {
        files: vec![file.to_owned()],
        compiling: Compiling { flags: flags.to_vec(), ..Compiling::default() },
        store: StoreChoice { dir: Some(scratch.join("store")), forget: true },
        settings: SettingsChoice { file: SettingsFile::Ignore, models: Vec::new() },
        ..Request::default()
    };
    let watch = Watch::nobody();
    let program = Session::open(&request, &watch)?.load(&watch)?;
    let analysis = program.analyze(&program.options(), &watch)?;
    Ok(!program.selection().of(program.report(analysis.report)).findings.is_empty())
}

/// What a tool takes, and whether it tells an error.
fn ask(asked: &Asked, unit: &Unit) -> Result<(f64, Result<bool, String>)> {
    let (seconds, outcome) = work::ask(asked, unit, LIMITS)?;
    let told = match outcome {
        Outcome::Said(said) => {
            Ok(said.iter().any(|it| kinds::kind(asked.tool, &it.check, &it.message).is_some()))
        }
        Outcome::Failed(reason) => Err(reason),
        Outcome::Stopped => Err("stopped".to_owned()),
    };
    Ok((1e3 * seconds, told))
}

/// What the paper calls it.
fn word(is_bad: bool, told: bool) -> &'static str {
    match (is_bad, told) {
        (true, true) => "true pos",
        (true, false) => "false neg",
        (false, true) => "false pos",
        (false, false) => "true neg",
    }
}

fn word_of(subject: &Subject, said: Said) -> &'static str {
    word(subject.is_bad(), subject.is_bad() == (said == Right))
}

/// What Spec# says, as the paper has it.
fn spec(subject: &Subject) -> String {
    match (subject.spec_false, subject.is_bad()) {
        (0, _) => word_of(subject, subject.spec_says).to_owned(),
        (count, true) => format!("{}, {count} false pos", word_of(subject, subject.spec_says)),
        (count, false) => format!("{count} false pos"),
    }
}

fn table_3(rows: &[Row], tools: &[&str]) -> String {
    let mut text = format!(
        "{:<8} {:>5} {:>8} {:<9}  {:<9} {:>6} {:<21} {:>6} {:<9}  {:<9}",
        "program", "bug", "ms", "Exorcise", "Findbugs", "ms", "Spec#", "ms", "doomed", "indict"
    );
    for tool in tools {
        let _ = write!(text, " {:>5} {tool:<9}", "ms");
    }
    text = text.trim_end().to_owned() + "\n";
    let mut sums = [0.0; 3];
    let mut of_tools = vec![0.0; tools.len()];
    for row in rows {
        let (subject, is_bad) = (row.subject, row.subject.is_bad());
        let ours = milliseconds(total(&row.doomed));
        for (sum, more) in sums.iter_mut().zip([subject.exorcise, subject.spec, ours]) {
            *sum += more;
        }
        let mut line = format!(
            "{:<8} {:>5} {:>8.1} {:<9}  {:<9} {:>6.1} {:<21} {ours:>6.2} {:<9}  {:<9}",
            subject.name,
            if is_bad { "yes" } else { "no" },
            subject.exorcise,
            word_of(subject, Right),
            word_of(subject, subject.findbugs),
            subject.spec,
            spec(subject),
            word(is_bad, row.doomed.found),
            word(is_bad, row.shown)
        );
        for ((ms, told), sum) in row.tools.iter().zip(&mut of_tools) {
            *sum += ms;
            let told = told.as_ref().map_or("failed", |told| word(is_bad, *told));
            let _ = write!(line, " {ms:>5.0} {told:<9}");
        }
        text += &(line.trim_end().to_owned() + "\n");
    }
    let [exorcise, spec, ours] = sums;
    let mut line = format!(
        "{:<8} {:>5} {exorcise:>8.1} {:<9}  {:<9} {spec:>6.1} {:<21} {ours:>6.2} {:<9}  {:<9}",
        "total", "", "", "", "", "", ""
    );
    for sum in of_tools {
        let _ = write!(line, " {sum:>5.0} {:<9}", "");
    }
    text + line.trim_end() + "\n" + &wrong(rows, tools)
}

/// How often each is wrong.
fn wrong(rows: &[Row], tools: &[&str]) -> String {
    let count = |told: &dyn Fn(&Row) -> Option<bool>| {
        let missed = rows.iter().filter(|it| it.subject.is_bad() && told(it) == Some(false)).count();
        let invented = rows.iter().filter(|it| !it.subject.is_bad() && told(it) == Some(true)).count();
        format!("{missed} missed, {invented} false")
    };
    let mut text = format!("doomed: {}\n", count(&|row| Some(row.doomed.found)));
    let _ = writeln!(text, "indict: {}", count(&|row| Some(row.shown)));
    for (index, tool) in tools.iter().enumerate() {
        let _ = writeln!(text, "{tool}: {}", count(&|row| row.tools[index].1.clone().ok()));
    }
    text
}

fn table_4(rows: &[Row]) -> String {
    let mut text = format!("{:<8} {:^38}  {:^38}\n", "", "paper", "ours");
    let head = |unit: &str| {
        format!(
            " {:>7} {:>10} {:>8} {:>10}",
            "queries",
            format!("build {unit}"),
            format!("1st {unit}"),
            format!("further {unit}")
        )
    };
    let _ = writeln!(text, "{:<8}{}  {}", "program", head("ms"), head("µs"));
    for row in rows {
        let Some([asked, build, first, further]) = row.subject.queries else { continue };
        let Measured { build: ours, queries, .. } = &row.doomed;
        let n_further = queries.len().saturating_sub(1).max(1) as u32;
        let rest: Duration = queries.iter().skip(1).sum();
        let _ = writeln!(
            text,
            "{:<8} {asked:>7} {build:>10} {first:>8} {further:>10}   {:>7} {:>10.0} {:>8.0} {:>10.0}",
            row.subject.name,
            queries.len(),
            1e3 * milliseconds(*ours),
            1e3 * milliseconds(queries.first().copied().unwrap_or_default()),
            1e3 * milliseconds(rest / n_further)
        );
    }
    text
}

fn total(measured: &Measured) -> Duration {
    measured.build + measured.queries.iter().sum::<Duration>()
}

fn milliseconds(time: Duration) -> f64 {
    1e3 * time.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(subject: &'static Subject, told: bool) -> Row {
        let queries = vec![Duration::from_micros(40), Duration::from_micros(4)];
        let doomed = Measured { found: told, build: Duration::from_micros(16), queries };
        Row { subject, doomed, shown: told, tools: vec![(12.0, Ok(false)), (1.0, Err("no".to_owned()))] }
    }

    #[test]
    fn what_the_paper_says_is_said() {
        let rows: Vec<Row> = SUBJECTS.iter().map(|it| row(it, it.is_bad())).collect();
        let text = table_3(&rows, &["clang", "gcc"]);
        assert!(
            text.contains("LOOP       yes    699.0 true pos   false neg  129.0 true pos, 3 false pos"),
            "{text}"
        );
        assert!(text.contains("COMPLEX     no    246.0 true neg   true neg    43.0 2 false pos "), "{text}");
        assert!(text.contains("doomed: 0 missed, 0 false\n") && text.contains("clang: 11 missed, 0 false\n"));
        assert!(text.contains("gcc: 0 missed, 0 false\n"), "who fails has said nothing");
        let missed = SUBJECTS.iter().filter(|it| it.findbugs == Wrong).count();
        assert_eq!(missed, 4, "tp1, tp2, itp1 and LOOP");
    }

    #[test]
    fn four_functions_are_in_table_4() {
        let rows: Vec<Row> = SUBJECTS.iter().map(|it| row(it, true)).collect();
        let text = table_4(&rows);
        assert_eq!(text.lines().count(), 6);
        assert!(
            text.contains(
                "LOOP           7         62      391         23         2         16       40          4\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn all_functions_are_there_and_can_be_alone() {
        for subject in &SUBJECTS {
            let (_, text) = subject.text().unwrap();
            let named = source::functions(&text).into_iter().map(|it| it.name);
            let subjects: Vec<String> =
                named.filter(|it| it.ends_with("_bad") || it.ends_with("_ok")).collect();
            assert_eq!(subjects, [subject.function]);
        }
    }
}
