//! Arrays in and out.

use numpy::ndarray::{ArrayView1, ArrayView2, ShapeBuilder};
use numpy::npyffi::NPY_ARRAY_WRITEABLE;
use numpy::{
    AllowTypeChange, Element, PyArray, PyArray1, PyArray2, PyArrayLikeDyn, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// A vector of `n` finite numbers from anything that NumPy takes.
pub fn vector(from: &Bound<'_, PyAny>, what: &str, n: usize) -> PyResult<Vec<f64>> {
    let numbers = list(from, what)?;
    if numbers.len() != n {
        let found = numbers.len();
        return Err(PyValueError::new_err(format!("{what} has {found} entries, expected {n}")));
    }
    Ok(numbers)
}

/// A vector of finite numbers of any length.
pub fn list(from: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<f64>> {
    let array = array(from, what)?;
    if array.ndim() > 1 {
        let shape = array.shape();
        let message = format!("{what} has the shape {shape:?}, expected one dimension");
        return Err(PyValueError::new_err(message));
    }
    let numbers: Vec<f64> = array.as_array().iter().copied().collect();
    finite(&numbers, what)?;
    Ok(numbers)
}

/// An array of numbers of any shape.
pub fn array<'py>(
    from: &Bound<'py, PyAny>,
    what: &str,
) -> PyResult<PyArrayLikeDyn<'py, f64, AllowTypeChange>> {
    let found = if from.is_none() { None } else { from.extract().ok() };
    found.ok_or_else(|| {
        let class = from.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string());
        PyTypeError::new_err(format!("{what} must be an array of numbers, not {class}"))
    })
}

/// Whether all numbers are finite.
pub fn finite(numbers: &[f64], what: &str) -> PyResult<()> {
    match numbers.iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(k) => {
            let message = format!("{what}[{k}] is {}, which is not finite", numbers[k]);
            Err(PyValueError::new_err(message))
        }
    }
}

/// Columns that lie one after the other, as a matrix with one row per sample. The memory belongs to `owner`.
pub fn matrix<'py>(
    owner: &Bound<'py, PyAny>,
    columns: &[f64],
    rows: usize,
) -> Bound<'py, PyArray2<f64>> {
    let count = columns.len().checked_div(rows).unwrap_or(0);
    // Both lengths come from one slice, so the view cannot fail.
    let empty = || ArrayView2::from_shape((0, 0).f(), &[] as &[f64]);
    let view = ArrayView2::from_shape((rows, count).f(), columns).or_else(|_| empty());
    let Ok(view) = view else { return PyArray2::zeros(owner.py(), [rows, 0], false) };
    // SAFETY: `owner` keeps the memory alive and never changes it, and neither can users.
    #[expect(unsafe_code, reason = "NumPy arrays on memory that Rust owns")]
    let array = unsafe { PyArray2::borrow_from_array(&view, owner.clone()) };
    frozen(&array);
    array
}

/// A column. The memory belongs to `owner`.
pub fn column<'py, T: Element>(owner: &Bound<'py, PyAny>, values: &[T]) -> Bound<'py, PyArray1<T>> {
    // SAFETY: as above.
    #[expect(unsafe_code, reason = "NumPy arrays on memory that Rust owns")]
    let array = unsafe { PyArray1::borrow_from_array(&ArrayView1::from(values), owner.clone()) };
    frozen(&array);
    array
}

/// Users cannot write to what a run recorded.
fn frozen<T, D>(array: &Bound<'_, PyArray<T, D>>) {
    // SAFETY: the array is new; nobody else sees its flags yet.
    #[expect(unsafe_code, reason = "the flag that NumPy's setflags clears")]
    unsafe {
        (*array.as_array_ptr()).fields.flags &= !NPY_ARRAY_WRITEABLE;
    }
}
