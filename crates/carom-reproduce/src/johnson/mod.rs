//! Johnson 2024: the ball, the slope and the practice problems.
