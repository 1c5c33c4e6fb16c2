//! `time.h`: calendar time, in UTC.
//!
//! `struct tm` has glibc's layout: nine `int`s, then the offset from UTC (8 bytes at 40) and the name of the
//! zone (at 48).
//! Source: C17 §7.27; days are counted with years that begin in March, so that leap days come last.

use ir::Type;

use super::args::Args;
use super::{Models, Reply};
use crate::machine::{Machine, OrStop};
use crate::value::Value;
use crate::varargs::offset_by;

pub(crate) const MODELS: Models = &[
    ("gmtime", |m, a| broken_down(m, a, false)),
    ("localtime", |m, a| broken_down(m, a, false)),
    ("gmtime_r", |m, a| broken_down(m, a, true)),
    ("localtime_r", |m, a| broken_down(m, a, true)),
    ("mktime", mktime),
    ("timegm", mktime),
    ("strftime", strftime),
    ("asctime", asctime),
    ("ctime", ctime),
    ("tzset", |_, _| Ok(super::Answer::none())),
];

const TM_BYTES: usize = 56;
const DAY: i64 = 86_400;
const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The nine numbers of `struct tm`, in its order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Tm {
    second: i64,
    minute: i64,
    hour: i64,
    day: i64,
    /// From 0.
    month: i64,
    /// Since 1900.
    year: i64,
    week_day: i64,
    year_day: i64,
    is_dst: i64,
}

impl Tm {
    fn from_seconds(seconds: i64) -> Tm {
        let (days, rest) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
        let (year, month, day) = civil(days);
        Tm {
            second: rest % 60,
            minute: rest / 60 % 60,
            hour: rest / 3600,
            day,
            month: month - 1,
            year: year - 1900,
            week_day: (days + 4).rem_euclid(7),
            year_day: days - day_number(year, 1, 1),
            is_dst: 0,
        }
    }

    /// Fields may lie outside of their ranges.
    fn to_seconds(self) -> i64 {
        let year = self.year + 1900 + self.month.div_euclid(12);
        let month = self.month.rem_euclid(12) + 1;
        let days = day_number(year, month, 1) + self.day - 1;
        days * DAY + self.hour * 3600 + self.minute * 60 + self.second
    }

    fn load(machine: &Machine<'_>, from: &Value) -> OrStop<Tm> {
        let mut fields = [0; 9];
        for (index, field) in fields.iter_mut().enumerate() {
            // The last three are outputs of `mktime` and need not be set; `strftime` reads them when it shows them.
            let at = offset_by(from, 4 * index as u64);
            *field = machine.load_at(&at, Type::Int(32))?.as_i64();
            if index < 6 {
                *field = machine.load_defined(&at, Type::Int(32))?.as_i64();
            }
        }
        let [second, minute, hour, day, month, year, week_day, year_day, is_dst] = fields;
        Ok(Tm { second, minute, hour, day, month, year, week_day, year_day, is_dst })
    }

    fn store(self, machine: &mut Machine<'_>, to: &Value) -> OrStop {
        let Tm { second, minute, hour, day, month, year, week_day, year_day, is_dst } = self;
        let fields = [second, minute, hour, day, month, year, week_day, year_day, is_dst];
        for (index, field) in fields.into_iter().enumerate() {
            machine.store_at(&offset_by(to, 4 * index as u64), &Value::signed(32, field.into()))?;
        }
        let zone = machine.named_block("name of the time zone", || b"GMT\0".to_vec())?;
        let zone = machine.pointer_to(zone, 0);
        machine.store_at(&offset_by(to, 40), &Value::int(64, 0))?;
        machine.store_at(&offset_by(to, 48), &zone)
    }
}

/// Days from 1970 to a date; months from 1.
fn day_number(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    // The months from March on have 31, 30, 31, 30, 31 days, twice and a bit.
    year * 365 + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468
}

/// The date of a day since 1970: year, month from 1, day.
fn civil(days: i64) -> (i64, i64, i64) {
    // A guess that is not too late, corrected.
    let mut year = 1970 + days.div_euclid(if days < 0 { 365 } else { 366 });
    while day_number(year + 1, 1, 1) <= days {
        year += ((days - day_number(year + 1, 1, 1)) / 366).max(1);
    }
    let month = (1..=12).rev().find(|month| day_number(year, *month, 1) <= days).unwrap_or(1);
    (year, month, days - day_number(year, month, 1) + 1)
}

/// `gmtime(seconds)` or `gmtime_r(seconds, result)`.
fn broken_down(machine: &mut Machine<'_>, args: &Args<'_>, has_target: bool) -> Reply {
    let seconds = machine.load_defined(&args.ptr(0), Type::Int(machine.long_bits()))?.as_i64();
    let target = if has_target {
        args.ptr(1)
    } else {
        let block = machine.named_block("broken-down time", || vec![0; TM_BYTES])?;
        machine.pointer_to(block, 0)
    };
    let limit = i64::from(i32::MAX) * 365 * DAY;
    if !(-limit..=limit).contains(&seconds) {
        return Ok(Value::null().into());
    }
    Tm::from_seconds(seconds).store(machine, &target)?;
    Ok(target.into())
}

/// Makes the fields proper, too.
fn mktime(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let seconds = Tm::load(machine, &args.ptr(0))?.to_seconds();
    Tm::from_seconds(seconds).store(machine, &args.ptr(0))?;
    Ok(machine.long(seconds as u64))
}

fn strftime(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (size, format) = (machine.number(args, 1)?, machine.string(args, 2)?);
    let tm = Tm::load(machine, &args.ptr(3))?;
    let text = format_time(&tm, &String::from_utf8_lossy(&format));
    if text.len() as u64 >= size {
        return Ok(machine.long(0));
    }
    machine.write_string_at(&args.ptr(0), text.as_bytes())?;
    Ok(machine.long(text.len() as u64))
}

fn format_time(tm: &Tm, format: &str) -> String {
    let mut text = String::new();
    let mut characters = format.chars();
    while let Some(character) = characters.next() {
        if character != '%' {
            text.push(character);
            continue;
        }
        // `%E` and `%O` ask for other calendars and digits, which the C locale does not have.
        let letter = characters.by_ref().find(|it| !matches!(it, 'E' | 'O')).unwrap_or('%');
        text += &conversion(tm, letter);
    }
    text
}

fn conversion(tm: &Tm, letter: char) -> String {
    let day_name = DAYS[tm.week_day.rem_euclid(7) as usize];
    let month_name = MONTHS[tm.month.rem_euclid(12) as usize];
    let hour12 = if tm.hour % 12 == 0 { 12 } else { tm.hour % 12 };
    match letter {
        'a' => day_name[..3].to_owned(),
        'A' => day_name.to_owned(),
        'b' | 'h' => month_name[..3].to_owned(),
        'B' => month_name.to_owned(),
        'c' => format_time(tm, "%a %b %e %H:%M:%S %Y"),
        'C' => format!("{:02}", (tm.year + 1900).div_euclid(100)),
        'd' => format!("{:02}", tm.day),
        'D' | 'x' => format_time(tm, "%m/%d/%y"),
        'e' => format!("{:2}", tm.day),
        'F' => format_time(tm, "%Y-%m-%d"),
        'H' => format!("{:02}", tm.hour),
        'I' => format!("{hour12:02}"),
        'j' => format!("{:03}", tm.year_day + 1),
        'm' => format!("{:02}", tm.month + 1),
        'M' => format!("{:02}", tm.minute),
        'n' => "\n".to_owned(),
        'p' => if tm.hour < 12 { "AM" } else { "PM" }.to_owned(),
        'r' => format_time(tm, "%I:%M:%S %p"),
        'R' => format_time(tm, "%H:%M"),
        's' => tm.to_seconds().to_string(),
        'S' => format!("{:02}", tm.second),
        't' => "\t".to_owned(),
        'T' | 'X' => format_time(tm, "%H:%M:%S"),
        'u' => (if tm.week_day == 0 { 7 } else { tm.week_day }).to_string(),
        'U' => format!("{:02}", (tm.year_day + 7 - tm.week_day) / 7),
        'w' => tm.week_day.to_string(),
        'W' => format!("{:02}", (tm.year_day + 7 - (tm.week_day + 6) % 7) / 7),
        'y' => format!("{:02}", (tm.year + 1900).rem_euclid(100)),
        'Y' => (tm.year + 1900).to_string(),
        'z' => "+0000".to_owned(),
        'Z' => "GMT".to_owned(),
        '%' => "%".to_owned(),
        other => format!("%{other}"),
    }
}

fn asctime(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let tm = Tm::load(machine, &args.ptr(0))?;
    written_out(machine, &tm)
}

fn ctime(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let seconds = machine.load_defined(&args.ptr(0), Type::Int(machine.long_bits()))?.as_i64();
    let limit = 8000 * 365 * DAY;
    written_out(machine, &Tm::from_seconds(seconds.clamp(-limit, limit)))
}

fn written_out(machine: &mut Machine<'_>, tm: &Tm) -> Reply {
    let text = format_time(tm, "%a %b %e %H:%M:%S %Y\n");
    let block = machine.named_block("text of asctime", || vec![0; 64])?;
    let pointer = machine.pointer_to(block, 0);
    machine.write_string_at(&pointer, text.as_bytes())?;
    Ok(pointer.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_come_back() {
        for days in (-800_000..800_000).step_by(97) {
            let (year, month, day) = civil(days);
            assert_eq!(day_number(year, month, day), days);
            assert!((1..=12).contains(&month) && (1..=31).contains(&day), "{year}-{month}-{day}");
        }
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(19_782), (2024, 2, 29));
        assert_eq!(civil(-1), (1969, 12, 31));
    }

    // The expected strings were printed by `date -u`.
    #[test]
    fn seconds_become_text() {
        let tm = Tm::from_seconds(1_709_210_096);
        let text = format_time(&tm, "%A %a %d %b %Y %H:%M:%S %j %U %W %u %I%p %y %%");
        assert_eq!(text, "Thursday Thu 29 Feb 2024 12:34:56 060 08 09 4 12PM 24 %");
        assert_eq!(tm.to_seconds(), 1_709_210_096);
        let overfull = Tm { month: 13, day: 32, ..Tm { year: 124, ..Tm::default() } };
        assert_eq!(format_time(&Tm::from_seconds(overfull.to_seconds()), "%F"), "2025-03-04");
    }
}
