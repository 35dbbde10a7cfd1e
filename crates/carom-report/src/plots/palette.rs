//! One colour, one meaning: in plots, on the page and on the stage.
//!
//! | meaning | colour | besides |
//! |---|---|---|
//! | force, normal | purple | |
//! | friction, sliding, slip | orange | dashed, hatched |
//! | impulse | vermilion | stems, arrows |
//! | compression | green | solid |
//! | restitution | blue | dashed |
//! | stick, closed | dark grey | |
//! | kinetic, potential, spring energy | blue, green, purple | solid, dashed, dash-dotted |
//!
//! The page has the same numbers in `viewer/src/style.css` and `viewer/src/ui/palette.ts`.
//!
//! # Tests
//! `tests/palette.rs`: `the_page_has_the_same_colours`, `pairs_differ_for_every_reader`.

use carom_figure::Colour;

/// Normal forces.
pub const FORCE: Colour = Colour::Series(3);
/// Friction, sliding, slip.
pub const SLIP: Colour = Colour::Series(4);
/// Impulses.
pub const IMPULSE: Colour = Colour::Series(1);
/// Compression.
pub const COMPRESSION: Colour = Colour::Series(2);
/// Restitution.
pub const RESTITUTION: Colour = Colour::Series(0);
/// Stick, and contacts without friction that are closed.
pub const STICK: Colour = Colour::Series(6);
/// Kinetic energy.
pub const KINETIC: Colour = Colour::Series(0);
/// Potential energy.
pub const POTENTIAL: Colour = Colour::Series(2);
/// Energy of springs.
pub const SPRING: Colour = Colour::Series(3);
