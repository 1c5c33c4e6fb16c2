//! Streams and an in-memory file system beneath `stdio.h`.
//!
//! A `FILE` is a block of the size glibc gives it; which stream it stands for is kept here. Nothing is
//! buffered: what is written is there at once.

use std::collections::BTreeMap;

use base::limits::INTERP_FILE;
use catalog::Issue;
use rustc_hash::FxHashMap;

use crate::machine::{Machine, OrStop};
use crate::memory::Status;
use crate::options::Options;
use crate::report::{Budget, Outcome};
use crate::value::{BlockRef, Value};

/// The size of glibc's `FILE`.
const FILE_BYTES: u64 = 216;

/// All streams and files.
#[derive(Clone, Debug)]
pub(crate) struct Streams {
    outputs: [Vec<u8>; 2],
    files: BTreeMap<String, Vec<u8>>,
    open: FxHashMap<BlockRef, Stream>,
    standard: [Option<BlockRef>; 3],
    stdin: Vec<u8>,
    temporary: u32,
}

/// An open stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Stream {
    pub(crate) target: Target,
    pub(crate) position: usize,
    pub(crate) readable: bool,
    pub(crate) writable: bool,
    pub(crate) append: bool,
    pub(crate) at_end: bool,
    pub(crate) failed: bool,
    /// Bytes pushed back by `ungetc`, last one first.
    pub(crate) pushed: Vec<u8>,
}

/// What a stream reads from and writes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    Stdin,
    /// 0 for the standard output, 1 for the standard error stream.
    Output(usize),
    File(String),
}

impl Streams {
    pub(crate) fn new(options: &Options) -> Streams {
        Streams {
            outputs: [Vec::new(), Vec::new()],
            files: options.files.iter().cloned().collect(),
            open: FxHashMap::default(),
            standard: [None; 3],
            stdin: options.stdin.clone(),
            temporary: 0,
        }
    }

    pub(crate) fn stdout(&self) -> &[u8] {
        &self.outputs[0]
    }

    pub(crate) fn stderr(&self) -> &[u8] {
        &self.outputs[1]
    }

    pub(crate) fn exists(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    pub(crate) fn remove(&mut self, path: &str) -> bool {
        self.files.remove(path).is_some()
    }

    pub(crate) fn rename(&mut self, from: &str, to: &str) -> bool {
        let content = self.files.remove(from);
        let found = content.is_some();
        if let Some(content) = content {
            self.files.insert(to.to_owned(), content);
        }
        found
    }

    /// A path that no file has.
    pub(crate) fn temporary_path(&mut self) -> String {
        self.temporary += 1;
        format!("/tmp/file{}", self.temporary)
    }

    /// The bytes that a stream reads.
    pub(crate) fn content(&self, target: &Target) -> &[u8] {
        match target {
            Target::Stdin => &self.stdin,
            Target::Output(index) => &self.outputs[*index],
            Target::File(path) => self.files.get(path).map_or(&[], Vec::as_slice),
        }
    }

    fn write(&mut self, stream: &mut Stream, bytes: &[u8]) -> bool {
        // A position that `fseek` made up would make an absurd file.
        if !stream.writable || stream.position.saturating_add(bytes.len()) > INTERP_FILE {
            stream.failed = true;
            return false;
        }
        match &stream.target {
            Target::Stdin => return false,
            Target::Output(index) => self.outputs[*index].extend_from_slice(bytes),
            Target::File(path) => {
                let content = self.files.entry(path.clone()).or_default();
                if stream.append {
                    stream.position = content.len();
                }
                let end = stream.position + bytes.len();
                if content.len() < end {
                    content.resize(end, 0);
                }
                content[stream.position..end].copy_from_slice(bytes);
                stream.position = end;
            }
        }
        true
    }
}

impl Stream {
    pub(crate) fn new(target: Target, readable: bool, writable: bool) -> Stream {
        Stream {
            target,
            position: 0,
            readable,
            writable,
            append: false,
            at_end: false,
            failed: false,
            pushed: Vec::new(),
        }
    }
}

impl Machine<'_> {
    /// Gives `stdin`, `stdout` and `stderr` their content; whether the global is one of them.
    pub(crate) fn set_up_stream(&mut self, name: &str, block: BlockRef) -> bool {
        let index = match name {
            "stdin" | "__stdinp" => 0,
            "stdout" | "__stdoutp" => 1,
            "stderr" | "__stderrp" => 2,
            _ => return false,
        };
        if let Ok(file) = self.standard_stream(index) {
            self.memory.write(block, 0, &file);
        }
        true
    }

    /// The `FILE` of a standard stream.
    pub(crate) fn standard_stream(&mut self, index: usize) -> OrStop<Value> {
        if let Some(known) = self.library.streams.standard[index] {
            return Ok(self.pointer_to(known, 0));
        }
        let target = match index {
            0 => Target::Stdin,
            _ => Target::Output(index - 1),
        };
        let file = self.open_stream(Stream::new(target, index == 0, index != 0))?;
        self.library.streams.standard[index] = file.prov();
        Ok(file)
    }

    /// A new `FILE`.
    pub(crate) fn open_stream(&mut self, stream: Stream) -> OrStop<Value> {
        let block = self.library_block("stream", FILE_BYTES)?;
        self.library.streams.open.insert(block, stream);
        Ok(self.pointer_to(block, 0))
    }

    /// Opens a file as `fopen` does; none if there is no such file.
    pub(crate) fn open_file(&mut self, path: &str, mode: &[u8]) -> OrStop<Option<Value>> {
        let Some(stream) = self.file_stream(path, mode) else { return Ok(None) };
        self.open_stream(stream).map(Some)
    }

    fn file_stream(&mut self, path: &str, mode: &[u8]) -> Option<Stream> {
        let update = mode.contains(&b'+');
        let streams = &mut self.library.streams;
        let mut stream = Stream::new(Target::File(path.to_owned()), true, true);
        match mode.first() {
            Some(b'r') if streams.exists(path) => stream.writable = update,
            Some(b'w') => {
                streams.files.insert(path.to_owned(), Vec::new());
                stream.readable = update;
            }
            Some(b'a') => {
                streams.files.entry(path.to_owned()).or_default();
                stream.append = true;
                stream.readable = update;
            }
            _ => return None,
        }
        Some(stream)
    }

    /// Closes a stream; its `FILE` is gone.
    pub(crate) fn close_stream(&mut self, file: &Value) -> OrStop {
        let block = self.stream_block(file)?;
        self.library.streams.open.remove(&block);
        if !self.library.streams.standard.contains(&Some(block)) {
            let site = self.site();
            self.memory.kill(block, Status::Freed(site));
        }
        Ok(())
    }

    /// Makes a stream another one, as `freopen` does.
    pub(crate) fn reopen_stream(&mut self, file: &Value, path: &str, mode: &[u8]) -> OrStop<bool> {
        let block = self.stream_block(file)?;
        let Some(stream) = self.file_stream(path, mode) else { return Ok(false) };
        self.library.streams.open.insert(block, stream);
        Ok(true)
    }

    /// The stream behind a `FILE *`, to look at and to change.
    pub(crate) fn stream(&mut self, file: &Value) -> OrStop<&mut Stream> {
        let block = self.stream_block(file)?;
        match self.library.streams.open.contains_key(&block) {
            true => Ok(self.library.streams.open.get_mut(&block).expect("invariant: the key was just seen")),
            false => {
                let message = "a block that is no stream is used as one".to_owned();
                Err(self.bug(Issue::OutOfBounds, message, Some((block, file.low()))))
            }
        }
    }

    /// Writes to a stream; none if it cannot be written.
    pub(crate) fn write_stream(&mut self, file: &Value, bytes: &[u8]) -> OrStop<Option<()>> {
        self.count_output(bytes.len())?;
        let mut stream = self.stream(file)?.clone();
        let written = self.library.streams.write(&mut stream, bytes);
        *self.stream(file)? = stream;
        Ok(written.then_some(()))
    }

    /// Writes to a file descriptor; whether it is open.
    pub(crate) fn write_descriptor(&mut self, descriptor: i32, bytes: &[u8]) -> OrStop<bool> {
        self.count_output(bytes.len())?;
        match descriptor {
            1 | 2 => {
                self.library.streams.outputs[descriptor as usize - 1].extend_from_slice(bytes);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Output is kept in memory, so it counts against the budget of memory.
    pub(crate) fn count_output(&mut self, len: usize) -> OrStop {
        self.work(len as u64)?;
        self.library.output_bytes += len as u64;
        let is_full = self.library.output_bytes > self.options.max_memory;
        if is_full { Err(Outcome::OutOfBudget(Budget::Memory).into()) } else { Ok(()) }
    }

    /// The next byte of a stream; none at its end.
    pub(crate) fn read_byte(&mut self, file: &Value) -> OrStop<Option<u8>> {
        let stream = self.stream(file)?;
        if let Some(byte) = stream.pushed.pop() {
            return Ok(Some(byte));
        }
        if !stream.readable {
            stream.failed = true;
            return Ok(None);
        }
        let (target, position) = (stream.target.clone(), stream.position);
        let byte = self.library.streams.content(&target).get(position).copied();
        let stream = self.stream(file)?;
        match byte {
            Some(_) => stream.position += 1,
            None => stream.at_end = true,
        }
        Ok(byte)
    }

    /// Takes a byte back.
    pub(crate) fn unread_byte(&mut self, file: &Value, byte: u8) -> OrStop {
        let stream = self.stream(file)?;
        stream.pushed.push(byte);
        stream.at_end = false;
        Ok(())
    }

    fn stream_block(&self, file: &Value) -> OrStop<BlockRef> {
        Ok(self.locate(file, FILE_BYTES, true)?.0)
    }
}
