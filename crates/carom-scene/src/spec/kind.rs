//! Types of values in a scene.

/// A table of the format.
#[derive(Debug)]
pub(crate) struct TableSpec {
    /// What one such table is, for messages: body, joint, contact.
    pub noun: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// Its keys, in groups that several tables share.
    pub groups: &'static [&'static [Field]],
}

/// A key of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field {
    pub key: &'static str,
    pub kind: Kind,
    pub unit: &'static str,
    pub default: &'static str,
    pub doc: &'static str,
}

/// The range of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Range {
    /// Any finite number.
    Finite,
    /// > 0, finite.
    Positive,
    /// ≥ 0, finite.
    NotNegative,
    /// 0 to 1.
    Unit,
    /// > 0 and at most 0.01: what is coarser is no tolerance.
    Tolerance,
    /// Finite and not 0.
    NotZero,
    /// Any number or an infinite one.
    MayBeInfinite,
    /// ≥ 0 or infinite.
    NotNegativeMayBeInfinite,
}

impl Range {
    /// Whether a number lies in the range. NaN never does.
    pub fn holds(self, x: f64) -> bool {
        match self {
            Self::Finite => x.is_finite(),
            Self::Positive => x.is_finite() && x > 0.0,
            Self::NotNegative => x.is_finite() && x >= 0.0,
            Self::Unit => (0.0..=1.0).contains(&x),
            Self::Tolerance => x > 0.0 && x <= 0.01,
            Self::NotZero => x.is_finite() && x != 0.0,
            Self::MayBeInfinite => !x.is_nan(),
            Self::NotNegativeMayBeInfinite => x >= 0.0,
        }
    }

    /// The range in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Finite => "a finite number",
            Self::Positive => "a finite number > 0",
            Self::NotNegative => "a finite number ≥ 0",
            Self::Unit => "a number in [0, 1]",
            Self::Tolerance => "a number in (0, 0.01]",
            Self::NotZero => "a finite number, not 0",
            Self::MayBeInfinite => "a number",
            Self::NotNegativeMayBeInfinite => "a number ≥ 0",
        }
    }
}

/// What the value of a key must be.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// A text.
    Text,
    /// true or false.
    Flag,
    /// A whole number > 0.
    Count,
    /// A number.
    Number(Range),
    /// A number in radians (metres for a prismatic joint), or a text such as "20deg".
    Angle(Range),
    /// Coordinates: 2 numbers in planar scenes, 3 in spatial ones.
    Vector,
    /// Lengths > 0 along the axes, as many as coordinates.
    Sizes,
    /// That many numbers.
    Numbers(usize, Range),
    /// That many angles.
    Angles(usize),
    /// A matrix by rows.
    Matrix,
    /// At least that many places, each as many numbers as coordinates.
    Corners(usize),
    /// At least two rows of numbers, all of one length of at least two; in planar scenes one row.
    Rows,
    /// That many texts.
    Texts(usize),
    /// A list of names, at least one.
    Names,
    /// A word of a list.
    Word(&'static [&'static str]),
    /// A table.
    Table(&'static TableSpec),
    /// A table of named tables.
    Named(&'static TableSpec),
    /// A table of named angles.
    NamedAngles,
    /// A table of named texts.
    NamedTexts,
    /// A table of named lists of names.
    NamedLists,
    /// A list of pairs of texts.
    TextPairs,
    /// A table of named tables or texts.
    NamedOrTexts(&'static TableSpec),
    /// A list of tables.
    List(&'static TableSpec),
    /// One of several kinds, told apart by their types.
    Any(&'static [Kind]),
}

impl Kind {
    /// What is expected, in words.
    pub fn words(&self, planar: Option<bool>) -> String {
        let coordinates = match planar {
            Some(true) => "2",
            Some(false) => "3",
            None => "2 (planar) or 3",
        };
        match self {
            Self::Text => "a text".into(),
            Self::Flag => "true or false".into(),
            Self::Count => "a whole number > 0".into(),
            Self::Number(range) => range.words().into(),
            Self::Angle(_) => "a number or an angle such as \"20deg\"".into(),
            Self::Vector => format!("{coordinates} numbers"),
            Self::Sizes => format!("{coordinates} numbers > 0"),
            Self::Numbers(n, Range::Finite) => format!("{n} numbers"),
            Self::Numbers(n, range) => format!("{n} numbers, each {}", range.words()),
            Self::Angles(n) => format!("{n} angles"),
            Self::Matrix => "3 rows of 3 numbers".into(),
            Self::Corners(n) => {
                format!("a list of at least {n} corners, each {coordinates} numbers")
            }
            Self::Rows => match planar {
                Some(true) => "a list of at least 2 numbers",
                Some(false) => "a list of at least 2 rows, each of as many numbers, at least 2",
                None => {
                    "a list of at least 2 numbers (planar), or of at least 2 rows, each of as many numbers, at least 2"
                }
            }
            .into(),
            Self::Texts(n) => format!("{n} texts"),
            Self::Names => "a list of at least one name".into(),
            Self::Word(words) => {
                words.iter().map(|w| format!("\"{w}\"")).collect::<Vec<_>>().join(" or ")
            }
            Self::Table(_) => "a table".into(),
            Self::Named(spec) => format!("tables by name, [{}.NAME]", spec.noun),
            Self::NamedAngles => "numbers or angles by name".into(),
            Self::NamedTexts => "texts by name".into(),
            Self::NamedLists => "lists of names by name".into(),
            Self::TextPairs => "a list of pairs of texts".into(),
            Self::NamedOrTexts(spec) => format!("texts or tables by name, [{}.NAME]", spec.noun),
            Self::List(spec) => format!("a list of tables, [[{}]]", spec.noun),
            Self::Any(kinds) => {
                kinds.iter().map(|k| k.words(planar)).collect::<Vec<_>>().join(", or ")
            }
        }
    }
}

impl TableSpec {
    /// All keys in order.
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> + use<> {
        self.groups.iter().flat_map(|group| group.iter())
    }

    /// The field of a key.
    pub fn field(&self, key: &str) -> Option<&'static Field> {
        self.fields().find(|f| f.key == key)
    }
}

/// A field, for the tables.
pub(crate) const fn field(
    key: &'static str,
    kind: Kind,
    unit: &'static str,
    default: &'static str,
    doc: &'static str,
) -> Field {
    Field { key, kind, unit, default, doc }
}
