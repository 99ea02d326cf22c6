import { spawn } from 'node:child_process'
import process from 'node:process'

/** How many of a failed command's last lines are repeated in the summary: the reason is at the end. */
const LAST_LINES = 40

/** The command sees a pipe: colours are for a terminal that shows its output, and would be most of a log. */
const env = { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }) }

/** Runs a command; resolves to its success, its output and the last lines of it, or the reason why it did not start. */
export function run(command, args) {
  return new Promise((resolve) => {
    const chunks = []
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
    for (const name of ['stdout', 'stderr']) child[name].on('data', (chunk) => chunks.push(chunk))
    child.on('error', (error) => resolve({ ok: false, output: error.message, last: error.message }))
    child.on('close', (code) => {
      const output = Buffer.concat(chunks).toString().trimEnd()
      resolve({ ok: code === 0, output, last: output.split('\n').slice(-LAST_LINES).join('\n') })
    })
  })
}
