"""Make tables and figures for a paper from finished evaluations, and the tables of two published papers.

    runs_of(["logs", "mine=graded.parquet"]) -> [Run, ..]
    tables_as("leaderboard", runs)           -> [Table, ..]     kinds: results, leaderboard, one per preset
    render(tables, "latex")                  -> str

A preset (presets/*.toml) is a study file that ships with deskcheck and names the kind of tables for its runs.
"""
