//! Gaps between shapes and their derivatives.
