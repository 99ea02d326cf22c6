import { spawn } from 'node:child_process'
import process from 'node:process'

/** How many of a command's last lines are told again where it failed: the reason stands at the end. */
const LAST_LINES = 40

/** Colours stay where a person looks on: the command itself sees a pipe. */
const env = process.stdout.isTTY ? { ...process.env, FORCE_COLOR: '1' } : process.env

/**
 * Runs a command and shows what it says as it comes. Resolves with whether it succeeded, and its last lines; where it
 * could not be started, the reason is its last line.
 */
export function run(command, args) {
  return new Promise((resolve) => {
    const said = []
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
    for (const name of ['stdout', 'stderr'])
      child[name].on('data', (chunk) => {
        said.push(chunk)
        process[name].write(chunk)
      })
    child.on('error', (error) => resolve({ ok: false, last: error.message }))
    child.on('close', (code) => resolve({ ok: code === 0, last: lastLines(Buffer.concat(said).toString()) }))
  })
}

function lastLines(text) {
  return text.trimEnd().split('\n').slice(-LAST_LINES).join('\n')
}
