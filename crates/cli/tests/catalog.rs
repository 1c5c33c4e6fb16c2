//! The examples of the catalog: what a document claims to be found is found, on that line and nowhere else.

mod common;

use catalog::{Choice, Status};
use common::{files, found_of, indict, words};
use serde_json::Value;
use testkit::{CTest, Found};

#[test]
fn examples_of_documents_are_found() {
    let is_stable = |it: &Choice| !matches!(it, Choice::Kind(issue) if issue.status() != Status::Stable);
    for choice in Choice::all().filter(is_stable) {
        let (_, rest) = choice.doc().split_once("```c\n").expect("an example in C");
        let code = rest.split_once("```").expect("the fence is closed").0;
        let dir = files(&[("example.c", code)]);
        let args = ["run", "example.c", "--latent", "--format", "json", "--only", choice.id()];
        let said = indict(dir.path(), &args);
        said.check(1, &[]);
        let report: Value = serde_json::from_str(&said.stdout).expect("a report");
        let findings = report["findings"].as_array().expect("a list");
        let found: Vec<Found> = findings.iter().map(found_of).collect();
        let test = CTest::parse("example.c".as_ref(), code, words()).expect("an annotated file");
        test.compare(&found).unwrap_or_else(|difference| panic!("{}: {difference}", choice.id()));
    }
}
