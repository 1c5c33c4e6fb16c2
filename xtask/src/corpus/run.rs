//! `cargo x corpus run`: one project after the other, each in a process of its own.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, bail, ensure};

use super::numbers::Numbers;
use super::one::How;
use super::projects::{self, Project};
use super::{fetch, stored, table};

/// What a run is called that nobody gave a name.
pub(crate) const LAST: &str = "last";

/// Options of `cargo x corpus run`.
#[derive(clap::Args)]
pub(crate) struct Run {
    /// Only these.
    #[arg(value_name = "PROJECT")]
    projects: Vec<String>,
    /// Keep what came out under this name, for `cargo x corpus compare`.
    #[arg(long, default_value = LAST)]
    name: String,
    #[command(flatten)]
    how: How,
}

impl Run {
    pub(crate) fn run(self) -> Result<()> {
        let projects = projects::selected(&self.projects)?;
        fetch::fetch(&projects)?;
        let dir = stored(&self.name);
        fs::create_dir_all(&dir)?;
        let mut rows = Vec::new();
        let mut failed = Vec::new();
        for project in &projects {
            match self.project(project, &dir) {
                Ok(numbers) => {
                    print!("{}", table::details(project.name, &numbers));
                    rows.push((project.name, numbers));
                }
                Err(error) => {
                    eprintln!("{}: {error:#}", project.name);
                    failed.push(project.name);
                }
            }
        }
        println!("{}", table::table(&rows));
        println!("the findings are in {}", dir.display());
        // Half a table in the documents would be taken for a whole one.
        if self.projects.is_empty() {
            table::publish(&self.name)?;
        }
        ensure!(failed.is_empty(), "nothing came out of {}", failed.join(", "));
        let broken: usize = rows.iter().map(|(_, numbers)| numbers.violations.len()).sum();
        ensure!(broken == 0, "the verifier found {broken} violations");
        let lost: usize = rows.iter().map(|(_, numbers)| numbers.lost.len()).sum();
        ensure!(lost == 0, "{lost} summaries do not come back from their bytes");
        Ok(())
    }

    fn project(&self, project: &Project, dir: &Path) -> Result<Numbers> {
        // What an earlier run left must not be taken for the result of this one.
        let left = Numbers::file(dir, project.name);
        if left.exists() {
            fs::remove_file(left)?;
        }
        let status = Command::new(std::env::current_exe()?)
            .args(["corpus", "one", project.name])
            .arg(dir)
            .args(self.how.arguments())
            .stdin(Stdio::null())
            .status()?;
        ensure!(status.success(), "its process ended by {status}");
        match Numbers::load(dir, project.name)? {
            Some(numbers) => Ok(numbers),
            None => bail!("its process wrote no numbers"),
        }
    }
}
