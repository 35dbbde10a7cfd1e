//! When and by which build a reproduction was made.

use std::time::{SystemTime, UNIX_EPOCH};

/// Date and build, as shown on the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// Version of the program.
    pub version: &'static str,
    /// The commit that it was built at; unknown where it was built without a repository.
    pub commit: Option<&'static str>,
    /// Date and time, UTC: `2026-11-16 14:03`.
    pub date: String,
}

impl Stamp {
    /// Of this build, now.
    pub fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
        Self::at(since)
    }

    /// Of this build, so many seconds after the beginning of 1970, UTC.
    pub fn at(seconds: u64) -> Self {
        let [year, month, day] = civil(seconds / 86_400);
        let (hour, minute) = (seconds / 3600 % 24, seconds / 60 % 60);
        let date = format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}");
        Self { version: env!("CARGO_PKG_VERSION"), commit: option_env!("CAROM_COMMIT"), date }
    }

    /// In words.
    pub fn words(&self) -> String {
        let commit =
            self.commit.map_or("commit unknown".into(), |c| format!("built at commit {c}"));
        format!("carom {}, {commit}, {} UTC", self.version, self.date)
    }
}

/// Year, month and day of a day counted from the first of 1970, by counting years and months off.
fn civil(mut days: u64) -> [u64; 3] {
    let leap = |y: u64| y.is_multiple_of(4) && (!y.is_multiple_of(100) || y.is_multiple_of(400));
    let mut year = 1970;
    loop {
        let length = if leap(year) { 366 } else { 365 };
        if days < length {
            break;
        }
        days -= length;
        year += 1;
    }
    let february = if leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    [year, month, days + 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(Stamp::at(0).date, "1970-01-01 00:00");
        assert_eq!(Stamp::at(951_782_340).date, "2000-02-28 23:59");
        assert_eq!(Stamp::at(951_782_400).date, "2000-02-29 00:00");
        assert_eq!(Stamp::at(1_794_837_780).date, "2026-11-16 14:03");
        assert!(Stamp::at(0).words().contains("UTC"));
    }
}
