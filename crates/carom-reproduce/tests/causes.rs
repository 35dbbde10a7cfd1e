//! Every statement of a source has its words, every one that does not agree its cause, and carom's own stand apart.

use carom_reproduce::{ALL, Cause, Context, QUOTES, Record, Source, Verdict, WITHOUT, run_all};

#[test]
fn statements_have_words_and_causes() {
    let experiments: Vec<_> = ALL.iter().collect();
    let reports = run_all(&experiments, &Context { fast: true }, 2, |_| {});
    let mut used = vec![false; QUOTES.len()];
    let mut without = vec![false; WITHOUT.len()];
    let mut causes = [0; 4];
    for report in &reports {
        let e = report.experiment;
        let outcome = report.result.as_ref().unwrap_or_else(|t| panic!("{}: {t}", e.name));
        let record = Record::of(report);
        let found = record.result.expect("a result");
        for (claim, shown) in outcome.claims.iter().zip(&found.claims) {
            if claim.verdict() == Verdict::Agrees {
                assert_eq!(claim.cause(), None, "{claim}");
            } else {
                let (cause, words) = claim.cause().expect("a cause");
                assert!(words.len() > 10, "{}: {claim}", e.name);
                causes[Cause::ALL.iter().position(|c| *c == cause).unwrap()] += 1;
            }
            // Those of comparisons beyond the papers are all our own.
            assert!(claim.own || e.source != Source::Beyond, "{claim}");
            if claim.own {
                assert_eq!((&shown.quote, &shown.pages), (&None, &None));
                continue;
            }
            let fits = |s: Source, start: &str| s == e.source && claim.statement.starts_with(start);
            let quote = QUOTES.iter().position(|(s, start, _)| fits(*s, start));
            let bare = WITHOUT.iter().position(|(s, start)| fits(*s, start));
            assert!(quote.is_some() != bare.is_some(), "{}: {}", e.name, claim.statement);
            assert_eq!(shown.quote.is_some(), quote.is_some());
            // A sentence, no more.
            assert!(shown.quote.as_ref().is_none_or(|q| q.len() < 200), "{:?}", shown.quote);
            quote.into_iter().for_each(|k| used[k] = true);
            bare.into_iter().for_each(|k| without[k] = true);
            // Theses have pages.
            if matches!(e.source, Source::Morgan | Source::Flickinger) {
                assert!(shown.pages.is_some(), "{}: {}", e.name, claim.place);
            }
        }
    }
    for (used, (_, start, _)) in used.iter().zip(QUOTES) {
        assert!(used, "the quotation for `{start}` is not used");
    }
    for (used, (_, start)) in without.iter().zip(WITHOUT) {
        assert!(used, "no statement begins with `{start}`");
    }
    assert!(causes.iter().all(|n| *n > 0), "{causes:?}");
}
