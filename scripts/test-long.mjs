/**
 * `npm run test:long [-- --shard=1/6] [files]`: the unit tests with the long forms of their properties, faults and
 * kills, which take hours: a shard of them, or the files that are named. Each file is shown when it ends.
 */
import { spawn } from 'node:child_process'
import process from 'node:process'

const args = ['--no-install', 'vitest', 'run', '--project', 'unit', '--maxWorkers=2', ...process.argv.slice(2)]
const env = { ...process.env, VUE_CHAIN_FULL: 'long' }
spawn('npx', args, { stdio: 'inherit', env }).on('exit', (code) => (process.exitCode = code ?? 1))
