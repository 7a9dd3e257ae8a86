//! A part of sled whose closing cannot take the program down.
//!
//! sled syncs its file once more when its last handle goes, and panics where the disk refuses
//! that. By then the journal has everything, and what is wrong with the disk has been told or does
//! not matter; the index is compared with the journal at the next start anyway.

use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Holds a sled handle and gives it up without a panic.
pub(super) struct Closing<T>(Option<T>);

impl<T> Closing<T> {
    pub(super) fn new(handle: T) -> Closing<T> {
        Closing(Some(handle))
    }
}

impl<T> Deref for Closing<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_ref().expect("it is taken when it is dropped, and not before")
    }
}

impl<T> Drop for Closing<T> {
    fn drop(&mut self) {
        let handle = self.0.take();
        if catch_unwind(AssertUnwindSafe(|| drop(handle))).is_err() {
            tracing::debug!("the index could not be closed: the disk does not sync it");
        }
    }
}
