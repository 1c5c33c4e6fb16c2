//! `indict` on the command line: options in, text out. This file only dispatches.
//!
//! Reading order: [`commands`] (one file per command, with its options), [`options`] (what several of them
//! have, and the request that it makes), [`progress`] (what [`session`] tells meanwhile), [`stop`] (how it is
//! stopped), [`output`] (the door).
//!
//! Results go to standard output, everything else to standard error. Exit status: see [`status::Status`].

mod commands;
mod options;
mod output;
mod progress;
mod status;
mod stop;
mod table;

use std::io::IsTerminal;
use std::panic;
use std::process::ExitCode;

use anyhow::Result;
use base::visible;
use clap::Parser;
use session::{Interrupted, Mistakes, Watch};

use commands::{
    callgraph, capture as capture_command, explain, ir, issues, run as run_command, stats, suggest,
};
use status::Status;

/// Analysis allocates much and frees much, on all threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const EXAMPLES: &str = "\
Examples:
  indict run list.c                  analyze all functions of a file and report what goes wrong
  indict run -- make -j8             the same for all that a build compiles
  indict run -p build/               the same for all units of build/compile_commands.json
  indict capture -- make -j8         only run the build and write .indict/compile_commands.json
  indict explain push list.c         what is known about one function
  indict suggest -p build/           what to write into indict.toml about functions that cannot be analyzed
  indict ir list.c --function push   the intermediate representation of one function
  indict callgraph -p build/         who calls whom
  indict stats -p build/             what was read, and what is not modeled
  indict issues use-after-free       what this kind of error is

Exit status: 0 no findings, 1 findings, 2 nothing could be analyzed (the cause is on standard error), 130 or 143 stopped by a signal.
`indict COMMAND --help` explains a command.";

/// Proves bugs in C and C++ code, and says of every bug how certain it is.
#[derive(Parser)]
#[command(name = "indict", version, after_help = EXAMPLES)]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Run(run_command::Run),
    Explain(explain::Explain),
    Suggest(suggest::Suggest),
    Capture(capture_command::Capture),
    Callgraph(callgraph::Callgraph),
    Ir(ir::Ir),
    Stats(stats::Stats),
    Issues(issues::Issues),
}

fn main() -> ExitCode {
    // A build that is being captured starts this executable in the place of its compilers.
    if let Some(code) = session::act_as_compiler() {
        return code;
    }
    panic::set_hook(Box::new(tell_of_panic));
    let cancel = stop::listen();
    let options = match Options::try_parse() {
        Ok(options) => options,
        Err(error) => return answer(&error),
    };
    let result = dispatch(options.command, &progress::watch(cancel));
    let status = result.unwrap_or_else(|error| {
        match error.downcast_ref::<Mistakes>() {
            Some(mistakes) => mistakes.messages.iter().for_each(|message| output::complain(message)),
            None => output::complain(&whole_message(&error)),
        }
        if error.is::<Interrupted>() { Status::Interrupted } else { Status::Failed }
    });
    status.into()
}

/// Prints help, or what is wrong with the arguments, which it quotes.
fn answer(error: &clap::Error) -> ExitCode {
    let is_plain =
        |argument: std::ffi::OsString| argument.to_str().is_some_and(|it| it.chars().all(visible::is_plain));
    let text = error.render();
    let is_terminal =
        if error.use_stderr() { std::io::stderr().is_terminal() } else { std::io::stdout().is_terminal() };
    // An argument may look like a color.
    let colors = is_terminal && std::env::var_os("NO_COLOR").is_none() && std::env::args_os().all(is_plain);
    match (error.use_stderr(), colors) {
        (true, true) => output::tell_painted(&text.ansi().to_string()),
        (true, false) => output::tell(&text.to_string()),
        (false, true) => drop(output::print_painted(&text.ansi().to_string())),
        (false, false) => drop(output::print(&text.to_string())),
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// What the standard library says of a panic, through our door: it may quote the program.
fn tell_of_panic(info: &panic::PanicHookInfo<'_>) {
    output::tell(&format!("{info}\n"));
    let backtrace = std::backtrace::Backtrace::capture();
    if backtrace.status() == std::backtrace::BacktraceStatus::Captured {
        output::tell(&format!("{backtrace}\n"));
    }
}

/// The message with its causes, each once: some messages name their cause themselves.
fn whole_message(error: &anyhow::Error) -> String {
    let mut message = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if !message.contains(&cause) {
            let colon = if message.is_empty() { "" } else { ": " };
            message.push_str(&format!("{colon}{cause}"));
        }
    }
    message
}

fn dispatch(command: Command, watch: &Watch<'_>) -> Result<Status> {
    match command {
        Command::Run(run) => run.run(watch),
        Command::Explain(explain) => explain.run(watch),
        Command::Suggest(suggest) => suggest.run(watch),
        Command::Capture(capture) => capture.run(watch),
        Command::Callgraph(callgraph) => callgraph.run(watch),
        Command::Ir(ir) => ir.run(watch),
        Command::Stats(stats) => stats.run(watch),
        Command::Issues(issues) => issues.run(),
    }
}
