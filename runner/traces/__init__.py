"""Makes execution-trace data sets: programs with calls become sharded Parquet, one row per traced call.

    trace_request             the options of a data set, and the rows that are dropped
    schema                    the columns
    formats                   how a trace is written, one file per format
    tracing                   a call, traced twice
    augmentation              the same program under proven rewrites
    normalized_tokens, decontamination, similarity
                              near copies of programs, within the data set and of benchmarks
    shard_tracing             a shard of rows becomes a part: called in any process or machine
    index, curation           duplicates, samples and splits, over all parts
    layout                    where things are in the folder of a data set
    data_card                 the README.md of a data set
    suite                     calls of a package, recorded while its pytest suite runs
    building                  all stages, in a folder that resumes

`corpora.shard_store` and `corpora.shard_executors` store the parts and run them on cores or machines.
"""
