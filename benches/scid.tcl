# What benches/compare.sh has Scid do. The first argument says what:
#   import BASE FILE   import FILE into a new BASE, and mark the duplicates as deleted
#   export BASE FILE   write the games of BASE that are not marked to FILE
# Duplicates have the same players and colours (as text), day, result and moves, as Scid's own window
# for it has it set, but whatever the event, the place and the round are called.
lassign $argv what base file
if {$what eq "import"} {
    sc_base create $base
    set read [sc_base import [sc_base current] $file]
    set twins [sc_base duplicates [sc_base current] -players Yes -colors Yes -event No -site No \
        -round No -year Yes -month Yes -day Yes -result Yes -eco No -moves Yes -skipshort No \
        -setfilter No -usefilter No -comments No -variations No -delete Newer]
    puts "games [lindex $read 0] duplicates $twins"
} else {
    sc_base open $base
    sc_base compact [sc_base current]
    sc_filter reset [sc_base current] dbfilter full
    sc_base export filter PGN $file -append 0 -starttext "" -endtext "" -comments 1 -variations 1 \
        -space 1 -symbols 0 -indentC 0 -indentV 0 -column 0 -noMarkCodes 0 -convertNullMoves 0
    puts "games [sc_base numGames [sc_base current]]"
}
exit
