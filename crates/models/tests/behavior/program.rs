//! The program in C that makes the calls and records what happened.

use std::fmt::Write;

use crate::plan::{Choice, Plan, Run, headers};
use crate::signature::{is_const, is_pointer};

/// What the recording itself needs.
const OWN_HEADERS: &[&str] = &[
    "errno.h",
    "fcntl.h",
    "stdarg.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "sys/mman.h",
    "sys/socket.h",
    "sys/stat.h",
    "sys/un.h",
    "arpa/inet.h",
    "netinet/in.h",
    "sys/wait.h",
    "unistd.h",
    "dirent.h",
    "pthread.h",
];

/// The whole text.
pub(crate) fn program(plan: &Plan<'_>) -> String {
    let mut text = String::from("#define _GNU_SOURCE\n");
    let own = OWN_HEADERS.iter().map(|it| (*it).to_owned());
    headers().into_iter().chain(own).for_each(|header| line(&mut text, &format!("#include <{header}>")));
    // Some functions are macros, too, and would not be called.
    plan.runs.iter().for_each(|run| line(&mut text, &format!("#undef {}", run.model.name)));
    // Functions that programs do not call by name are declared nowhere.
    plan.runs.iter().filter_map(|run| run.model.prototype.as_ref()).for_each(|it| line(&mut text, it));
    text.push_str(include_str!("runtime.c"));
    line(&mut text, "static const unsigned char content[64] = {");
    (1..=64).for_each(|byte| write!(text, "{byte},").expect("writing to a string"));
    line(&mut text, "};");
    for (index, run) in plan.runs.iter().enumerate() {
        function(&mut text, index, run);
    }
    line(
        &mut text,
        "int main(void) {\n    log_fd = dup2(1, 100);\n    umask(022);\n    setenv(\"TZ\", \"UTC\", 1);",
    );
    line(&mut text, "    for (int fd = 0; fd < 3; fd++) { close(fd); open(\"/dev/null\", O_RDWR); }");
    for (index, run) in plan.runs.iter().enumerate() {
        for (number, call) in run.calls.iter().enumerate() {
            let runs = if call.iter().any(Choice::is_area) { 2 } else { 1 };
            line(&mut text, &format!("    isolated({index}, {number}, {runs}, run_{index});"));
        }
    }
    line(&mut text, "    return 0;\n}");
    text
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("writing to a string");
}

fn function(text: &mut String, index: usize, run: &Run<'_>) {
    let signature = &run.signature;
    let name = if signature.takes_list() {
        list_wrapper(text, index, run);
        format!("list_{index}")
    } else {
        run.model.name.clone()
    };
    line(text, &format!("static void run_{index}(int call) {{\n    switch (call) {{"));
    for (number, call) in run.calls.iter().enumerate() {
        line(text, &format!("    case {number}: {{"));
        line(text, &format!("        {}", run.before));
        call.iter()
            .enumerate()
            .for_each(|(at, choice)| argument(text, signature.fixed().get(at), at, choice));
        for at in 0..call.len() {
            let pointee = signature.fixed().get(at).map_or("0".to_owned(), |ty| pointee(ty));
            line(text, &format!("        argument({at}, (unsigned long long)a{at}, {pointee});"));
        }
        let args: Vec<String> = (0..call.len()).map(|at| format!("a{at}")).collect();
        let called = format!("{name}({})", args.join(", "));
        line(text, "        begin();");
        if run.model.noreturn.is_some() || signature.result == "void" {
            line(text, &format!("        {called};\n        end(); no_result(); return; }}"));
        } else if ["double", "float", "long double"].contains(&signature.result.as_str()) {
            line(text, &format!("        (void){called};\n        end(); no_result(); return; }}"));
        } else {
            line(text, &format!("        {} r = {called};", signature.result));
            line(text, "        end(); result((unsigned long long)r); return; }");
        }
    }
    line(text, "    }\n}");
}

/// A function with `...` for one with a `va_list`.
fn list_wrapper(text: &mut String, index: usize, run: &Run<'_>) {
    let params = run.signature.fixed();
    let declared: Vec<String> = params.iter().enumerate().map(|(at, ty)| format!("{ty} a{at}")).collect();
    let passed: Vec<String> = (0..params.len()).map(|at| format!("a{at}, ")).collect();
    let (result, last) = (&run.signature.result, params.len() - 1);
    line(text, &format!("static {result} list_{index}({}, ...) {{", declared.join(", ")));
    line(text, &format!("    va_list list;\n    va_start(list, a{last});"));
    let called = format!("{}({}list)", run.model.name, passed.concat());
    match result.as_str() {
        "void" => line(text, &format!("    {called};\n    va_end(list);\n}}")),
        _ => line(text, &format!("    {result} r = {called};\n    va_end(list);\n    return r;\n}}")),
    }
}

/// The declaration of one argument. Those of `...` have no declared type: it follows from what is passed.
fn argument(text: &mut String, ty: Option<&String>, at: usize, choice: &Choice) {
    let tight = u8::from(ty.is_some_and(|ty| is_const(ty)));
    let words = match choice {
        Choice::Null => format!("void *a{at} = 0;"),
        Choice::Buffer => format!("void *a{at} = buffer({at});"),
        Choice::Text(it) => format!("void *a{at} = bytes({at}, {tight}, {}, {});", literal(it), it.len() + 1),
        Choice::Path(it) => format!("void *a{at} = (void *)path({at}, {});", literal(it)),
        Choice::Data(size) => format!("void *a{at} = bytes({at}, {tight}, content, {size});"),
        Choice::Object(init) => {
            format!("void *a{at} = buffer({at}); {}", init.replace('$', &format!("a{at}")))
        }
        Choice::Code(it) => match ty {
            Some(ty) if is_pointer(ty) => format!("void *a{at} = (void *)({it});"),
            Some(ty) => format!("{ty} a{at} = {it};"),
            None => format!("__auto_type a{at} = {it};"),
        },
    };
    line(text, &format!("        {words}"));
}

/// The size of what a pointer points to, 0 if the type does not tell.
fn pointee(ty: &str) -> String {
    let opaque = ["void", "DIR", "FILE", "char"];
    let plain = ty.strip_suffix('*').map(|it| it.trim_start_matches("const ").trim());
    match plain {
        Some(plain) if !opaque.contains(&plain) && !plain.contains('(') => format!("sizeof({plain})"),
        _ => "0".to_owned(),
    }
}

fn literal(text: &str) -> String {
    let escaped: String = text.bytes().map(|byte| format!("\\{byte:03o}")).collect();
    format!("\"{escaped}\"")
}
