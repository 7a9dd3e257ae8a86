//! The command line: names, options and their help. They are an interface; nothing here does any
//! work. What clap refuses ends with exit code 2.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand};
use clap_complete::Shell;
use jiff::civil::Date;

/// Keeps a chess archive clean.
///
/// Reads PGN, recognises the players, removes duplicate games and writes standard PGN. It never
/// guesses who a player is, never loses a game, and can always say why.
#[derive(Debug, Parser)]
#[command(
    name = "gamekeeper",
    version,
    disable_help_subcommand = true,
    max_term_width = 100,
    after_help = "Examples:
  gamekeeper import ~/chess/*.pgn
  gamekeeper export --output clean.pgn
  gamekeeper why 17 204"
)]
pub struct Cli {
    /// Options of every command.
    #[command(flatten)]
    pub global: Global,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Options that every command takes, before or after its name.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Everywhere")]
pub struct Global {
    /// Use this config file
    ///
    /// Otherwise the first of $GAMEKEEPER_CONFIG, $XDG_CONFIG_HOME/gamekeeper/config.toml
    /// (usually ~/.config/gamekeeper/config.toml) and /etc/gamekeeper/config.toml; without any,
    /// everything has its default.
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Keep the archive in this directory
    ///
    /// Otherwise $STATE_DIRECTORY or $XDG_STATE_HOME/gamekeeper (usually
    /// ~/.local/state/gamekeeper).
    #[arg(long, global = true, value_name = "DIR")]
    pub state_dir: Option<PathBuf>,

    /// Print the result as one line of JSON
    #[arg(long, global = true)]
    pub json: bool,

    /// Tell more on stderr; -vv and -vvv still more
    #[arg(short, long, global = true, action = ArgAction::Count, conflicts_with = "quiet")]
    pub verbose: u8,

    /// Tell nothing on stderr but errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Commands that work on the archive.
    #[command(flatten)]
    Archive(ArchiveCommand),

    /// Check the config file and tell everything that is wrong with it
    ///
    /// Also shows where the archive is and what the config makes of it. Ends with 10 when there
    /// are errors. JSON: {"config","state_dir","owner","exports","on_duplicate","min_free_space",
    /// "problems":[{"line","column","message","hint"}]}
    Check,

    /// Write a config file that explains every option
    ///
    /// All options stand there with their defaults, switched off. A file that exists is never
    /// overwritten. JSON: {"path"}
    #[command(after_help = "Examples:
  gamekeeper init
  gamekeeper init --output gamekeeper.toml")]
    Init {
        /// Write to this file [default: where the config file is looked for first]
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
    },

    /// Print the completions for a shell
    #[command(after_help = "Example:
  gamekeeper completions bash > ~/.local/share/bash-completion/completions/gamekeeper")]
    Completions {
        /// The shell
        shell: Shell,
    },

    /// Print the manual page, of the program or of one command
    #[command(after_help = "Examples:
  gamekeeper man | man -l -
  gamekeeper man players show | man -l -")]
    Man {
        /// The command
        #[arg(value_name = "COMMAND")]
        path: Vec<String>,
    },
}

/// The commands that work on the archive.
#[derive(Debug, Subcommand)]
pub enum ArchiveCommand {
    /// Read games into the archive
    ///
    /// Takes files (.pgn, .pgn.zst, .gz, .bz2, .zip) and folders of them. A game that is there
    /// already is not stored again; what cannot be read is kept aside, see `gamekeeper rejected`.
    /// Once the command is done, its games survive a power cut. Ends with 3 when some games or
    /// files could not be read.
    ///
    /// JSON: {"read","new","duplicates","updated","rejected","seconds"}; read = new + duplicates +
    /// updated + rejected
    #[command(after_help = "Examples:
  gamekeeper import games.pgn
  gamekeeper import --dry-run ~/chess
  zstdcat lichess.pgn.zst | gamekeeper import -")]
    Import {
        /// Files and folders; - is stdin
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<Input>,
        /// Only tell what would happen; store nothing
        #[arg(long)]
        dry_run: bool,
    },

    /// Write clean PGN
    ///
    /// Without arguments, all exports of the config. Every file is replaced as a whole or not at
    /// all. JSON: {"games","files"}
    #[command(after_help = "Examples:
  gamekeeper export
  gamekeeper export by-year
  gamekeeper export --output clean.pgn")]
    Export {
        /// Exports of the config [default: all]
        #[arg(value_name = "NAME", conflicts_with = "output")]
        names: Vec<String>,
        /// Write all games to this one file, whatever the config says
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
    },

    /// Say why two games are the same, or are not
    ///
    /// Shows the five equalities one by one, and the verdict. JSON: {"same","id","white","black",
    /// "date","result","start","moves"}, true or false each; id is null where there is none to
    /// compare
    #[command(
        override_usage = "gamekeeper why [OPTIONS] <GAME> <GAME>\n       gamekeeper why [OPTIONS] --file <TWO.pgn>",
        after_help = "Examples:
  gamekeeper why 17 204
  gamekeeper why --file two.pgn"
    )]
    Why {
        /// The ids of two games in the archive
        #[arg(value_name = "GAME", num_args = 2, required_unless_present = "file")]
        games: Vec<u64>,
        /// Compare the two games of this PGN file instead
        #[arg(long, value_name = "TWO.pgn", conflicts_with = "games")]
        file: Option<PathBuf>,
    },

    /// What the rules make of a name
    #[command(subcommand, arg_required_else_help = true)]
    Name(NameCommand),

    /// Games that could not be read and are kept aside
    #[command(subcommand, arg_required_else_help = true)]
    Rejected(RejectedCommand),

    /// Games of the archive
    #[command(subcommand, arg_required_else_help = true)]
    Game(GameCommand),

    /// Players of the archive
    #[command(subcommand, arg_required_else_help = true)]
    Players(PlayersCommand),

    /// What happened to the archive, newest last
    #[command(after_help = "Example:
  gamekeeper history --since 2024-05-01")]
    History {
        /// Only from this day on (UTC)
        #[arg(long, value_name = "DATE", value_parser = date)]
        since: Option<Date>,
    },

    /// How many games there are, and what else is known of the archive
    ///
    /// JSON: {"games","players","duplicates","rejected","generation"}
    Status,

    /// Check that the archive is sound: every byte of the journal and every row of the index
    ///
    /// Each finding is told with its place and with what to do; nothing is changed. Ends with 0 when
    /// all is sound, 12 when the journal is damaged, 1 when only the index is: that can always be
    /// made anew, and the next command does. Damage that was passed over with --rebuild is told and counts no more.
    ///
    /// JSON: {"sound","batches","texts","games","copies","rejected","players","sources","tag_sets",
    /// "runs","cursors","known","findings":[{"part","place","what"}],"in_journal","in_index",
    /// "lost_batches","lost_games","seconds"}
    #[command(after_help = "Examples:
  gamekeeper doctor
  gamekeeper doctor --rebuild")]
    Doctor {
        /// Make the index anew from the journal, going past what is damaged in it
        ///
        /// Everything that can be read comes back with the number it had; what is lost is told.
        /// Ends with 3 when something is lost. JSON: {"batches","games","duplicates","rejected",
        /// "lost_batches","lost_games","lost_game_ids","lost_copies","lost_rejected","revived",
        /// "shortened","damages","seconds"}
        #[arg(long)]
        rebuild: bool,
    },
}

/// `gamekeeper name …`
#[derive(Debug, Subcommand)]
pub enum NameCommand {
    /// Tell what the rules make of a name: its kind, its words, who it is, how it is shown
    ///
    /// Needs no archive. JSON: {"kind","words","identity","shown","own"}; identity is equal for
    /// the same player
    #[command(after_help = "Examples:
  gamekeeper name explain 'ROSSI,Mario'
  gamekeeper name explain rossi-mario --online
  gamekeeper name explain 'M. Rossi' --fide-id 850012")]
    Explain {
        /// The name as it stands in the game
        #[arg(allow_hyphen_values = true)]
        name: String,
        /// The FIDE ID that stands beside it
        #[arg(long, value_name = "ID", allow_hyphen_values = true)]
        fide_id: Option<String>,
        /// The game was played online
        #[arg(long)]
        online: bool,
    },
}

/// `gamekeeper rejected …`
#[derive(Debug, Subcommand)]
pub enum RejectedCommand {
    /// List the rejected games: where each stood, and what is wrong with it
    List,
    /// Show the text of a rejected game, byte for byte
    Show {
        /// Its number in `rejected list`
        id: u64,
    },
    /// Try again, after an upgrade that reads more
    Retry {
        /// Numbers of `rejected list` [default: all]
        #[arg(value_name = "ID")]
        ids: Vec<u64>,
    },
}

/// `gamekeeper game …`
#[derive(Debug, Subcommand)]
pub enum GameCommand {
    /// Show a game: its tags, where its copies came from, what was mended
    Show {
        /// The game's id
        id: u64,
        /// Print it as PGN and nothing else
        #[arg(long)]
        pgn: bool,
    },
}

/// `gamekeeper players …`
#[derive(Debug, Subcommand)]
pub enum PlayersCommand {
    /// List all players
    ///
    /// JSON: {"players":[{"id","name","fide_id","kind","games"}]}; kind = fide, person, nickname,
    /// unknown
    List,
    /// Show a player: how he is shown, and the names he was met under
    Show {
        /// The player's id
        id: u64,
    },
}

/// Something to read games from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// `-`
    Stdin,
    /// A file or a folder.
    Path(PathBuf),
}

impl From<OsString> for Input {
    fn from(typed: OsString) -> Input {
        if typed == "-" { Input::Stdin } else { Input::Path(typed.into()) }
    }
}

fn date(typed: &str) -> Result<Date, String> {
    typed.parse().map_err(|_| "a date is written 2024-05-01".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definitions_are_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn stdin_is_a_hyphen() {
        let cli = Cli::try_parse_from(["gamekeeper", "import", "-", "./-", "a.pgn"]);
        let Command::Archive(ArchiveCommand::Import { paths, .. }) = cli.unwrap().command else {
            panic!("not an import");
        };
        let path = |text: &str| Input::Path(text.into());
        assert_eq!(paths, [Input::Stdin, path("./-"), path("a.pgn")]);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for wrong in [
            &["why", "1"][..],
            &["why", "1", "2", "3"],
            &["why", "1", "2", "--file", "x.pgn"],
            &["why", "one", "two"],
            &["export", "all", "--output", "x.pgn"],
            &["import"],
            &["history", "--since", "1.5.2024"],
            &["status", "-v", "-q"],
            &["game"],
        ] {
            let line = ["gamekeeper"].iter().chain(wrong);
            assert_eq!(Cli::try_parse_from(line).unwrap_err().exit_code(), 2, "{wrong:?}");
        }
    }
}
