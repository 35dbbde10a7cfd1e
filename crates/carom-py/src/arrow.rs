//! Columns as an Arrow stream, by the C data interface: structures that any program which reads Arrow takes over
//! without a copy. One batch, then the end.
//!
//! # Rule
//! Whoever has a structure whose `release` is set owns it and calls `release` once; to hand it on is to copy it and
//! to clear `release` in what was copied. Children are released by their parent, unless they were handed on.
#![expect(unsafe_code, reason = "a C interface")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;

use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Values of a column.
pub enum Column {
    Integers(Vec<i64>),
    Numbers(Vec<f64>),
    Texts(Texts),
}

/// Texts, one after the other; some may be missing.
pub struct Texts {
    ends: Vec<i32>,
    bytes: Vec<u8>,
    valid: Vec<u8>,
    missing: i64,
}

impl Texts {
    /// Puts texts one after the other.
    pub fn new<'a>(texts: impl Iterator<Item = Option<&'a str>>) -> Self {
        let mut all = Self { ends: vec![0], bytes: Vec::new(), valid: Vec::new(), missing: 0 };
        for (k, text) in texts.enumerate() {
            if k.is_multiple_of(8) {
                all.valid.push(0);
            }
            match text {
                Some(text) => {
                    all.bytes.extend_from_slice(text.as_bytes());
                    all.valid[k / 8] |= 1 << (k % 8);
                }
                None => all.missing += 1,
            }
            all.ends.push(i32::try_from(all.bytes.len()).unwrap_or(i32::MAX));
        }
        all
    }
}

impl Column {
    fn format(&self) -> &'static CStr {
        match self {
            Self::Integers(_) => c"l",
            Self::Numbers(_) => c"g",
            Self::Texts(_) => c"u",
        }
    }

    fn missing(&self) -> i64 {
        if let Self::Texts(texts) = self { texts.missing } else { 0 }
    }

    fn buffers(&self) -> Vec<*const c_void> {
        match self {
            Self::Integers(x) => vec![ptr::null(), x.as_ptr().cast()],
            Self::Numbers(x) => vec![ptr::null(), x.as_ptr().cast()],
            Self::Texts(x) => {
                vec![x.valid.as_ptr().cast(), x.ends.as_ptr().cast(), x.bytes.as_ptr().cast()]
            }
        }
    }
}

#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private: *mut c_void,
}

/// What a schema owns.
struct SchemaParts {
    name: CString,
    children: Vec<*mut Schema>,
}

/// A column may have missing values.
const NULLABLE: i64 = 2;

impl Schema {
    fn new(name: &str, format: &'static CStr, children: Vec<Schema>) -> Self {
        let children: Vec<_> = children.into_iter().map(|c| Box::into_raw(Box::new(c))).collect();
        let mut parts =
            Box::new(SchemaParts { name: CString::new(name).unwrap_or_default(), children });
        Self {
            format: format.as_ptr(),
            name: parts.name.as_ptr(),
            metadata: ptr::null(),
            flags: NULLABLE,
            n_children: parts.children.len() as i64,
            children: parts.children.as_mut_ptr(),
            dictionary: ptr::null_mut(),
            release: Some(release_schema),
            private: Box::into_raw(parts).cast(),
        }
    }
}

/// SAFETY: `schema` is one of ours, whose `release` is set.
unsafe extern "C" fn release_schema(schema: *mut Schema) {
    unsafe {
        let parts = Box::from_raw((*schema).private.cast::<SchemaParts>());
        for child in parts.children {
            if let Some(release) = (*child).release {
                release(child);
            }
            drop(Box::from_raw(child));
        }
        (*schema).release = None;
    }
}

#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private: *mut c_void,
}

/// What an array owns.
struct ArrayParts {
    _column: Option<Column>,
    buffers: Vec<*const c_void>,
    children: Vec<*mut Array>,
}

impl Array {
    fn new(length: usize, column: Option<Column>, children: Vec<Array>) -> Self {
        let children: Vec<_> = children.into_iter().map(|c| Box::into_raw(Box::new(c))).collect();
        let missing = column.as_ref().map_or(0, Column::missing);
        // A table has only the buffer of missing rows, and none is missing.
        let buffers = column.as_ref().map_or(vec![ptr::null()], Column::buffers);
        let mut parts = Box::new(ArrayParts { _column: column, buffers, children });
        Self {
            length: length as i64,
            null_count: missing,
            offset: 0,
            n_buffers: parts.buffers.len() as i64,
            n_children: parts.children.len() as i64,
            buffers: parts.buffers.as_mut_ptr(),
            children: parts.children.as_mut_ptr(),
            dictionary: ptr::null_mut(),
            release: Some(release_array),
            private: Box::into_raw(parts).cast(),
        }
    }

    /// What says that there is no more.
    fn end() -> Self {
        Self {
            length: 0,
            null_count: 0,
            offset: 0,
            n_buffers: 0,
            n_children: 0,
            buffers: ptr::null_mut(),
            children: ptr::null_mut(),
            dictionary: ptr::null_mut(),
            release: None,
            private: ptr::null_mut(),
        }
    }
}

/// SAFETY: `array` is one of ours, whose `release` is set.
unsafe extern "C" fn release_array(array: *mut Array) {
    unsafe {
        let parts = Box::from_raw((*array).private.cast::<ArrayParts>());
        for child in parts.children {
            if let Some(release) = (*child).release {
                release(child);
            }
            drop(Box::from_raw(child));
        }
        (*array).release = None;
    }
}

#[repr(C)]
struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private: *mut c_void,
}

/// What a stream owns: the formats of its columns, and the columns until they are taken.
struct StreamParts {
    heads: Vec<(String, &'static CStr)>,
    columns: Option<(usize, Vec<Column>)>,
}

// SAFETY: the stream owns all that it points to, and one thread at a time has it.
unsafe impl Send for Stream {}

impl Drop for Stream {
    /// A stream that nobody took over is released.
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: it is one of ours, and its `release` is set.
            unsafe { release(self) }
        }
    }
}

/// SAFETY: `stream` is one of ours, `out` has room for a schema.
unsafe extern "C" fn get_schema(stream: *mut Stream, out: *mut Schema) -> c_int {
    unsafe {
        let parts = &*(*stream).private.cast::<StreamParts>();
        let heads = parts.heads.iter();
        let children = heads.map(|(name, format)| Schema::new(name, format, Vec::new())).collect();
        ptr::write(out, Schema::new("", c"+s", children));
    }
    0
}

/// SAFETY: `stream` is one of ours, `out` has room for an array.
unsafe extern "C" fn get_next(stream: *mut Stream, out: *mut Array) -> c_int {
    unsafe {
        let parts = &mut *(*stream).private.cast::<StreamParts>();
        let next = parts.columns.take().map_or_else(Array::end, |(rows, columns)| {
            let child = |column| Array::new(rows, Some(column), Vec::new());
            Array::new(rows, None, columns.into_iter().map(child).collect())
        });
        ptr::write(out, next);
    }
    0
}

/// Nothing goes wrong here.
unsafe extern "C" fn get_last_error(_: *mut Stream) -> *const c_char {
    ptr::null()
}

/// SAFETY: `stream` is one of ours, whose `release` is set.
unsafe extern "C" fn release_stream(stream: *mut Stream) {
    unsafe {
        drop(Box::from_raw((*stream).private.cast::<StreamParts>()));
        (*stream).release = None;
    }
}

/// Columns of so many rows as the capsule that `__arrow_c_stream__` returns.
pub fn stream<'py>(
    py: Python<'py>,
    rows: usize,
    columns: Vec<(&str, Column)>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let heads = columns.iter().map(|(name, column)| (name.to_string(), column.format())).collect();
    let columns = Some((rows, columns.into_iter().map(|(_, column)| column).collect()));
    let parts = Box::new(StreamParts { heads, columns });
    let stream = Stream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release_stream),
        private: Box::into_raw(parts).cast(),
    };
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}
