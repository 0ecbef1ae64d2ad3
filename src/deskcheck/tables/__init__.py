"""Tables and figures for a paper, made of finished evaluations: models, strategies, leaderboards, two papers.

    runs_of(["logs", "mine=graded.parquet"]) -> [Run, ..]
    tables_as("leaderboard", runs)           -> [Table, ..]     results, leaderboard, a kind for each preset
    render(tables, "latex")                  -> str

A preset (presets/*.toml) is a study file that ships and names the kind of tables its runs are shown as.
"""
