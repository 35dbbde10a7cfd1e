//! One colour, one meaning: plots and page have the same palette, and what meets in a picture differs for every reader.

use carom_figure::{Colour, Theme};
use carom_report::plots::palette::{
    COMPRESSION, FORCE, IMPULSE, KINETIC, POTENTIAL, RESTITUTION, SLIP, SPRING, STICK,
};

fn text(path: &str) -> String {
    std::fs::read_to_string(carom_testing::root().join(path)).unwrap()
}

fn hex(theme: Theme, colour: Colour) -> String {
    theme.css(colour)
}

#[test]
fn the_page_has_the_same_colours() {
    let css = text("viewer/src/style.css").to_lowercase();
    let meanings = [
        ("force", FORCE),
        ("slip", SLIP),
        ("impulse", IMPULSE),
        ("compression", COMPRESSION),
        ("restitution", RESTITUTION),
        ("stick", STICK),
    ];
    for (name, colour) in meanings {
        let found: Vec<&str> =
            css.split(&format!("--{name}: ")).skip(1).map(|rest| &rest[..7]).collect();
        let (light, dark) = (hex(Theme::Light, colour), hex(Theme::Dark, colour));
        // Light, dark by the system, dark by choice, and light again for paper.
        assert_eq!(found, [&light[..], &dark, &dark, &light], "{name}");
    }
    let script = text("viewer/src/ui/palette.ts").to_lowercase();
    for theme in [Theme::Light, Theme::Dark] {
        let list: Vec<String> =
            (0..Colour::SERIES).map(|k| format!("\"{}\"", hex(theme, Colour::Series(k)))).collect();
        assert!(script.contains(&list.join(", ")), "{theme:?}: [{}]", list.join(", "));
    }
}

/// Colours as readers without one of the three cones see them (Machado, Oliveira and Fernandes 2009, severity 1),
/// in linear RGB.
const DEFICIENCIES: [[[f64; 3]; 3]; 4] = [
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
];

/// CIE L*a*b* of a linear colour.
fn lab(c: [f64; 3]) -> [f64; 3] {
    let xyz = [
        (0.4124 * c[0] + 0.3576 * c[1] + 0.1805 * c[2]) / 0.9505,
        0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2],
        (0.0193 * c[0] + 0.1192 * c[1] + 0.9505 * c[2]) / 1.089,
    ];
    let f = xyz.map(|x| if x > 0.008856 { x.cbrt() } else { 7.787 * x + 16.0 / 116.0 });
    [116.0 * f[1] - 16.0, 500.0 * (f[0] - f[1]), 200.0 * (f[1] - f[2])]
}

fn seen(theme: Theme, colour: Colour, by: &[[f64; 3]; 3]) -> [f64; 3] {
    let linear = theme.rgb(colour).map(|x| {
        let x = f64::from(x) / 255.0;
        if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
    });
    let mixed = by.map(|row| row.iter().zip(linear).map(|(a, b)| a * b).sum::<f64>());
    lab(mixed.map(|x| x.clamp(0.0, 1.0)))
}

/// What stands in one picture differs by at least 13 in L*a*b*, whatever the eye; dashes and hatching come on top.
#[test]
fn pairs_differ_for_every_reader() {
    let pairs = [
        (FORCE, SLIP),
        (FORCE, IMPULSE),
        (COMPRESSION, RESTITUTION),
        (STICK, SLIP),
        (KINETIC, POTENTIAL),
        (KINETIC, SPRING),
        (POTENTIAL, SPRING),
        (IMPULSE, STICK),
    ];
    let mut close = Vec::new();
    for theme in [Theme::Light, Theme::Dark] {
        for (i, by) in DEFICIENCIES.iter().enumerate() {
            for (a, b) in pairs {
                let (x, y) = (seen(theme, a, by), seen(theme, b, by));
                let far = x.iter().zip(y).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
                if far < 13.0 {
                    close.push(format!("{theme:?} {i} {a:?} {b:?}: {far:.1}"));
                }
            }
        }
    }
    assert!(close.is_empty(), "{close:#?}");
}
