//! Programs as the machine runs them.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// How a native run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    Exited(i32),
    Signal(i32),
    TimedOut,
}

/// A native run.
#[derive(Debug)]
pub(crate) struct Native {
    pub(crate) status: Status,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

/// The compiler that programs are compared with.
pub(crate) const CLANG: &str = "clang-19";

/// Output beyond this is cut; no program of ours prints as much.
const OUTPUT: u64 = 16 << 20;

/// Compiles `file` to `program` with the given flags.
pub(crate) fn compile(file: &Path, program: &Path, flags: &[String]) -> Result<()> {
    let compiler = if is_cxx(file) { "clang++-19" } else { CLANG };
    let output = Command::new(compiler)
        .args(["-w", "-g"])
        .args(flags)
        .arg(file)
        .arg("-o")
        .arg(program)
        .arg("-lm")
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("while starting {compiler}; scripts/setup installs it"))?;
    if !output.status.success() {
        bail!("{compiler} rejects {}:\n{}", file.display(), String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

/// Runs a program without input, at most for `limit`.
pub(crate) fn run(program: &Path, limit: Duration, env: &[(&str, &str)]) -> Result<Native> {
    let mut child = Command::new(program)
        .envs(env.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("while starting {}", program.display()))?;
    let stdout = drain(child.stdout.take().expect("invariant: stdout is piped"));
    let stderr = drain(child.stderr.take().expect("invariant: stderr is piped"));
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status_of(status);
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            break Status::TimedOut;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let join =
        |thread: std::thread::JoinHandle<Vec<u8>>| thread.join().expect("invariant: reading does not panic");
    Ok(Native { status, stdout: join(stdout), stderr: join(stderr) })
}

fn drain(mut pipe: impl Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // A pipe that breaks ends the output; the status says why.
        let _ = pipe.by_ref().take(OUTPUT).read_to_end(&mut bytes);
        let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        bytes
    })
}

fn status_of(status: std::process::ExitStatus) -> Status {
    use std::os::unix::process::ExitStatusExt;
    match status.code() {
        Some(code) => Status::Exited(code),
        None => Status::Signal(status.signal().unwrap_or(0)),
    }
}

/// The flags that the second line of a program asks for (`// flags: -std=c2x`).
pub(crate) fn own_flags(text: &str) -> Vec<String> {
    header(text, "flags")
        .map(|flags| flags.split_whitespace().map(str::to_owned).collect())
        .unwrap_or_default()
}

/// The value of a `// name: value` line at the start of a program.
pub(crate) fn header<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let lines = text.lines().take_while(|line| line.starts_with("//"));
    lines.filter_map(|line| line.strip_prefix("// ")?.strip_prefix(name)?.strip_prefix(": ")).next()
}

/// Whether it is C++.
pub(crate) fn is_cxx(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "cpp")
}

/// All C and C++ files below a directory, sorted.
pub(crate) fn sources(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let entries =
        std::fs::read_dir(directory).with_context(|| format!("while listing {}", directory.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "c" || extension == "cpp") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
