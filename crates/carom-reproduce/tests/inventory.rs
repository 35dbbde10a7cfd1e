//! The registry against the inventory of the sources.

use carom_reproduce::{ALL, INVENTORY, covering};

#[test]
fn every_cover_is_in_the_inventory() {
    for experiment in ALL {
        for item in experiment.covers {
            let known = INVENTORY.iter().any(|i| i.source == experiment.source && i.item == *item);
            assert!(known, "{}: {item} of {}", experiment.name, experiment.source.short());
        }
    }
}

#[test]
fn every_item_has_an_experiment() {
    for item in INVENTORY {
        let covered = covering(item.source, item.item).next().is_some();
        assert!(covered, "{} {}", item.source.short(), item.item);
    }
}

#[test]
fn names_are_unique_and_plain() {
    for (i, experiment) in ALL.iter().enumerate() {
        assert!(ALL[..i].iter().all(|e| e.name != experiment.name), "{}", experiment.name);
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(experiment.name.chars().all(plain), "{}", experiment.name);
    }
    for (i, item) in INVENTORY.iter().enumerate() {
        let twice = INVENTORY[..i].iter().any(|o| o.source == item.source && o.item == item.item);
        assert!(!twice, "{} {}", item.source.short(), item.item);
    }
}
