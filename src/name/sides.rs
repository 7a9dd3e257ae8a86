//! The two players of one game (names.md §3).

use super::{FideId, Identity};

/// White and Black of one game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sides {
    /// White.
    pub white: Identity,
    /// Black.
    pub black: Identity,
    /// True when both sides had the same FIDE ID: a producer's mistake that proves nothing, so
    /// neither counted, and the game belongs among the suspects.
    pub shared_fide_id: bool,
}

impl Sides {
    /// Recognises both players by the tags `White`, `WhiteFideId`, `Black` and `BlackFideId`, as
    /// they came (names.md §3).
    pub fn of(
        white: &str,
        white_fide: Option<&str>,
        black: &str,
        black_fide: Option<&str>,
    ) -> Sides {
        let (white_id, black_id) = Sides::ids(white_fide, black_fide);
        let shared_fide_id = Sides::share(&white_id, &black_id);
        let counts = |id: &Option<FideId>| if shared_fide_id { None } else { id.clone() };
        Sides {
            white: Identity::of(white, counts(&white_id).as_ref()),
            black: Identity::of(black, counts(&black_id).as_ref()),
            shared_fide_id,
        }
    }

    /// [`Sides::shared_fide_id`] alone, of the tags `WhiteFideId` and `BlackFideId`.
    pub fn share_fide_id(white: Option<&str>, black: Option<&str>) -> bool {
        let (white, black) = Sides::ids(white, black);
        Sides::share(&white, &black)
    }

    fn ids(white: Option<&str>, black: Option<&str>) -> (Option<FideId>, Option<FideId>) {
        (white.and_then(FideId::parse), black.and_then(FideId::parse))
    }

    fn share(white: &Option<FideId>, black: &Option<FideId>) -> bool {
        white.is_some() && white == black
    }
}
