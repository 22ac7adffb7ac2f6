#!/bin/bash
# A Dask cluster of one SLURM job, and a run of Treaty on it:
#   sbatch examples/cluster/slurm.sh crawl.txt crawl.conllu
# The folder of the job must be on a file system that all nodes share. If the job ends early, submit
# the same line again: the run is resumed.
#SBATCH --job-name=treaty
#SBATCH --nodes=8
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=32
#SBATCH --mem=64G
#SBATCH --time=12:00:00
#SBATCH --requeue
set -eu
input=${1:?usage: slurm.sh INPUT OUTPUT}
output=${2:?usage: slurm.sh INPUT OUTPUT}
place=$PWD/treaty-$SLURM_JOB_ID
mkdir -p "$place"

# The scheduler runs on the first node; its address is in a file.
dask scheduler --scheduler-file "$place/scheduler.json" --no-dashboard &
until [ -s "$place/scheduler.json" ]; do sleep 1; done

# One worker process per core: Treaty's speed comes from processes, each with one thread.
srun --overlap dask worker --scheduler-file "$place/scheduler.json" \
  --nworkers "$SLURM_CPUS_PER_TASK" --nthreads 1 --memory-limit 2GB --local-directory /tmp &

address=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["address"])' \
  "$place/scheduler.json")
treaty parse "$input" --cluster "$address" --run "$output.run" --resume --part-limit 600 -o "$output"
