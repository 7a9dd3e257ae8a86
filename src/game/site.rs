//! Where a game was played online, and the number the site has given it (names.md §4, §5).
//!
//! It never guesses: an address must be of exactly the form that the site writes.

use serde::{Deserialize, Serialize};

use std::fmt;

use super::Tags;

/// names.md §4: the sites whose games are online games.
const HOSTS: [&str; 10] = [
    "lichess.org",
    "chess.com",
    "chesskid.com",
    "chess24.com",
    "freechess.org",
    "chessclub.com",
    "playchess.com",
    "gameknot.com",
    "redhotpawn.com",
    "chesstempo.com",
];

/// Pages of Lichess whose names have as many letters as the id of a game.
const LICHESS_PAGES: [&str; 12] = [
    "analysis",
    "download",
    "features",
    "feedback",
    "insights",
    "learning",
    "patterns",
    "practice",
    "settings",
    "streamer",
    "training",
    "leaderboards",
];

/// True for a game that its tags say was played online: Site or Link is an online site's.
/// A game relayed by Lichess (`/broadcast`, `/study`) is not.
///
/// *(reading)* “FICS freechess.org” is how that site's own files call it. “chess.com INT” is how
/// others, who respell the names, say where an event was held: not the site's file.
pub fn is_online(tags: &Tags) -> bool {
    tags.get("Site").is_some_and(|site| site.trim() == "FICS freechess.org")
        || addresses(tags).any(|address| {
            let lichess_relay =
                address.is_at("lichess.org") && matches!(address.segment(0), "broadcast" | "study");
            HOSTS.iter().any(|host| address.is_at(host)) && !lichess_relay
        })
}

/// The id under which a site knows a game (names.md §5). Two different ones of one
/// [`kind`](SiteId::kind) are two games; a game may have several of different kinds.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SiteId {
    /// The first eight characters after `lichess.org/`; case counts.
    Lichess(String),
    /// The number of a live game of Chess.com.
    ChessComLive(u64),
    /// The number of a daily game of Chess.com: numbers of their own.
    ChessComDaily(u64),
    /// The uuid of a game of Chess.com, in lower case.
    ChessComUuid(String),
}

impl SiteId {
    /// Which numbers it is one of.
    pub fn kind(&self) -> &'static str {
        match self {
            SiteId::Lichess(_) => "lichess",
            SiteId::ChessComLive(_) => "chesscom-live",
            SiteId::ChessComDaily(_) => "chesscom-daily",
            SiteId::ChessComUuid(_) => "chesscom-uuid",
        }
    }

    /// The uuid that Chess.com's JSON gives beside a game; `None` where `text` is none.
    pub fn chesscom_uuid(text: &str) -> Option<SiteId> {
        let lengths = text.split('-').map(str::len);
        let hexadecimal = text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit());
        (hexadecimal && lengths.eq([8, 4, 4, 4, 12]))
            .then(|| SiteId::ChessComUuid(text.to_ascii_lowercase()))
    }
}

/// The key under which an id is kept: `lichess:Kq7vR2xa`, `chesscom-live:190000000101`.
impl fmt::Display for SiteId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.kind();
        match self {
            SiteId::Lichess(id) | SiteId::ChessComUuid(id) => write!(f, "{kind}:{id}"),
            SiteId::ChessComLive(number) | SiteId::ChessComDaily(number) => {
                write!(f, "{kind}:{number}")
            }
        }
    }
}

/// The ids that a game's tags carry, each once: from Site and Link, and of a game on Chess.com a
/// tag `UUID`.
///
/// *(reading)* Lichess's GameId tag is not one: Lichess gives it to games of other sites too that
/// were imported there. Neither is `/game/N` of Chess.com, which does not say live or daily, nor
/// the address of a game against its coach, which belongs to another game.
pub fn site_ids(tags: &Tags) -> Vec<SiteId> {
    let mut ids = Vec::new();
    let mut add = |id: Option<SiteId>| ids.extend(id.filter(|id| !ids.contains(id)));
    let coach = tags.get("Event") == Some("Play vs Coach");
    for address in addresses(tags) {
        if address.is_at("lichess.org") {
            add(lichess(&address));
        } else if address.is_at("chess.com") && !coach {
            add(chesscom(&address));
            add(tags.get("UUID").and_then(SiteId::chesscom_uuid));
        }
    }
    ids
}

fn lichess(address: &Address) -> Option<SiteId> {
    let id = address.segment(0);
    let whole = matches!((address.segment(1), address.segment(2)), ("" | "white" | "black", ""));
    let formed = matches!(id.len(), 8 | 12) && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (whole && formed && !LICHESS_PAGES.contains(&id)).then(|| SiteId::Lichess(id[..8].to_owned()))
}

fn chesscom(address: &Address) -> Option<SiteId> {
    let [first, second, third, fourth] = [0, 1, 2, 3].map(|at| address.segment(at));
    match (first, second, third, fourth) {
        ("live", "game", id, "") | ("game", "live", id, "") => number(id).map(SiteId::ChessComLive),
        ("daily", "game", id, "") | ("game", "daily", id, "") | ("daily", id, "", "") => {
            number(id).map(SiteId::ChessComDaily)
        }
        ("game", id, "", "") => SiteId::chesscom_uuid(id),
        _ => None,
    }
}

fn number(digits: &str) -> Option<u64> {
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    plain.then(|| digits.parse().ok())?
}

/// A web address as a tag carries it, with or without its scheme.
struct Address<'a> {
    host: &'a str,
    path: &'a str,
}

impl<'a> Address<'a> {
    fn read(text: &'a str) -> Option<Address<'a>> {
        let text = text.trim();
        let rest = match text.split_once("://") {
            Some((scheme, rest)) => {
                let web =
                    scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http");
                web.then_some(rest)?
            }
            None => text,
        };
        if rest.contains(char::is_whitespace) {
            return None;
        }
        let rest = &rest[..rest.find(['?', '#']).unwrap_or(rest.len())];
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        let host = host.split_once(':').map_or(host, |(host, _)| host);
        Some(Address { host, path })
    }

    /// True for `host` itself and what lies under it (`www.`, `en.`).
    fn is_at(&self, host: &str) -> bool {
        let Some(start) = self.host.len().checked_sub(host.len()) else {
            return false;
        };
        let Some(end) = self.host.get(start..) else {
            return false;
        };
        end.eq_ignore_ascii_case(host) && (start == 0 || self.host.as_bytes()[start - 1] == b'.')
    }

    /// A segment of the path, empty where there is none.
    fn segment(&self, at: usize) -> &'a str {
        self.path.split('/').nth(at).unwrap_or_default()
    }
}

fn addresses(tags: &Tags) -> impl Iterator<Item = Address<'_>> {
    ["Site", "Link"].into_iter().filter_map(|name| Address::read(tags.get(name)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Tag;

    fn tags(pairs: &[(&str, &str)]) -> Tags {
        let tag = |&(name, value): &(&str, &str)| Tag::new(name, value);
        Tags(pairs.iter().map(tag).collect())
    }

    /// names.md §4: which games are online.
    #[test]
    fn online_games_are_told_by_site_or_link() {
        let online = [
            "https://lichess.org/Kq7vR2xa",
            "lichess.org",
            "http://en.lichess.org/Kq7vR2xa",
            "HTTPS://LICHESS.ORG/x",
            "Chess.com",
            "chess.com",
            "www.chess.com",
            "https://www.chess.com/game/live/1",
            "https://www.chesskid.com/",
            "chess24.com",
            "freechess.org",
            "games.freechess.org",
            "chessclub.com",
            "playchess.com",
            "gameknot.com",
            "redhotpawn.com",
            "https://chesstempo.com:443/x",
            " lichess.org ",
            "FICS freechess.org",
            "https://lichess.org/studying",
        ];
        for site in online {
            assert!(is_online(&tags(&[("Site", site)])), "{site}");
            let link = is_online(&tags(&[("Site", "?"), ("Link", site)]));
            assert_eq!(link, site != "FICS freechess.org", "{site}");
        }
        let other = [
            "",
            "?",
            "Roma",
            "https://lichess.org/broadcast/a/b/c/d",
            "https://lichess.org/study/abcdefgh/ijklmnop",
            "lichess.org/broadcast",
            "chess.com INT",
            "Chess.com, online",
            "notchess.com",
            "chess.com.evil.org",
            "ftp://chess.com/",
            "lichess",
            "Internet Chess Club",
            "mychess.com",
            "https://example.org/lichess.org/",
            "éess.com",
            "chess.co",
        ];
        for site in other {
            assert!(!is_online(&tags(&[("Site", site)])), "{site}");
        }
        assert!(!is_online(&tags(&[("Event", "https://lichess.org/tournament/x")])));
    }

    fn keys(pairs: &[(&str, &str)]) -> Vec<String> {
        site_ids(&tags(pairs)).iter().map(SiteId::to_string).collect()
    }

    /// names.md §5 and the historic forms of both sites' addresses.
    #[test]
    fn ids_are_read_from_site_and_link() {
        let cases = [
            ("https://lichess.org/Kq7vR2xa", "lichess:Kq7vR2xa"),
            ("https://lichess.org/Kq7vR2xaBCDE", "lichess:Kq7vR2xa"),
            ("https://lichess.org/Kq7vR2xa/black", "lichess:Kq7vR2xa"),
            ("https://lichess.org/Kq7vR2xa/white#12", "lichess:Kq7vR2xa"),
            ("https://lichess.org/Kq7vR2xa#12", "lichess:Kq7vR2xa"),
            ("http://fr.lichess.org/Kq7vR2xa/", "lichess:Kq7vR2xa"),
            ("lichess.org/KQ7vR2xa", "lichess:KQ7vR2xa"),
            ("https://www.chess.com/game/live/190000000101", "chesscom-live:190000000101"),
            ("https://www.chess.com/live/game/190000000101", "chesscom-live:190000000101"),
            ("https://www.chess.com/game/live/7?username=x", "chesscom-live:7"),
            ("https://www.chess.com/game/daily/7", "chesscom-daily:7"),
            ("https://www.chess.com/daily/game/7", "chesscom-daily:7"),
            ("https://www.chess.com/daily/7", "chesscom-daily:7"),
            (
                "https://www.chess.com/game/0A1b2c3d-8c1e-11ef-9d0c-6cfe544c0428",
                "chesscom-uuid:0a1b2c3d-8c1e-11ef-9d0c-6cfe544c0428",
            ),
        ];
        for (address, key) in cases {
            assert_eq!(keys(&[("Site", address)]), [key], "{address}");
            assert_eq!(keys(&[("Link", address), ("Site", "Chess.com")]), [key], "{address}");
        }
        let uuid = "0a1b2c3d-8c1e-11ef-9d0c-6cfe544c0428";
        assert_eq!(
            keys(&[
                ("Site", "Chess.com"),
                ("Link", "https://www.chess.com/game/live/7"),
                ("UUID", uuid)
            ]),
            [&format!("chesscom-uuid:{uuid}"), "chesscom-live:7"]
        );
    }

    /// names.md §5: what is not exactly of the form is no id.
    #[test]
    fn other_addresses_are_no_ids() {
        let addresses = [
            "https://lichess.org/",
            "https://lichess.org/tournament/Kq7vR2xa",
            "https://lichess.org/@/Kq7vR2xa",
            "https://lichess.org/study/Kq7vR2xa",
            "https://lichess.org/broadcast/a/b/Kq7vR2xa/Kq7vR2xa",
            "https://lichess.org/Kq7vR2x",
            "https://lichess.org/Kq7vR2xab",
            "https://lichess.org/Kq7vR2x-",
            "https://lichess.org/training",
            "https://lichess.org/training/12345",
            "https://lichess.org/analysis",
            "https://lichess.org/Kq7vR2xa/red",
            "https://lichess.org/embed/Kq7vR2xa",
            "https://example.org/Kq7vR2xa",
            "Kq7vR2xa",
            "https://www.chess.com/game/7",
            "https://www.chess.com/game/live/",
            "https://www.chess.com/7",
            "https://www.chess.com/game/live/7a",
            "https://www.chess.com/game/live/+7",
            "https://www.chess.com/game/live/07",
            "https://www.chess.com/game/live/99999999999999999999999",
            "https://www.chess.com/game/live/7/8",
            "https://www.chess.com/game/0a1b2c3d8c1e11ef9d0c6cfe544c0428",
            "Chess.com",
        ];
        for address in addresses {
            assert!(keys(&[("Site", address), ("Link", address)]).is_empty(), "{address}");
        }
        assert!(keys(&[("Site", "Chess.com"), ("GameId", "Kq7vR2xa")]).is_empty());
        assert!(
            keys(&[("Event", "Play vs Coach"), ("Link", "https://www.chess.com/game/daily/7")])
                .is_empty()
        );
        assert!(
            keys(&[("Site", "Roma"), ("UUID", "0a1b2c3d-8c1e-11ef-9d0c-6cfe544c0428")]).is_empty()
        );
    }
}
