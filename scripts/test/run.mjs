import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import process from 'node:process'

/** How many of a failed command's last lines are repeated in the summary: the reason is at the end. */
const LAST_LINES = 40

/** The command sees a pipe: colours are for a terminal that shows its output, and would be most of a log. */
const COLOURS = process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }

/**
 * Writes the processor time of the command, and of all that it started and waited for, to a pipe of its own when it has
 * ended.
 */
const TIMED = '"$@"; status=$?; times >&3; exit $status'

/**
 * Runs a command; resolves to its success, its output and the last lines of it, or the reason why it did not start.
 * `computed` is the processor time of its processes in s, whatever else this process runs; undefined where there is no
 * POSIX shell. `defaults` are variables for its environment, where they are not set; `log` is a file that has its
 * output as it comes.
 */
export function run(command, args, { defaults = {}, log } = {}) {
  const env = { ...defaults, ...process.env, ...COLOURS }
  const isTimed = process.platform !== 'win32'
  return new Promise((resolve) => {
    const chunks = []
    let times = ''
    const child = isTimed
      ? spawn('sh', ['-c', TIMED, 'sh', command, ...args], { stdio: ['ignore', 'pipe', 'pipe', 'pipe'], env })
      : spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
    for (const name of ['stdout', 'stderr'])
      child[name].on('data', (chunk) => {
        chunks.push(chunk)
        if (log !== undefined) appendFileSync(log, chunk)
      })
    child.stdio[3]?.on('data', (chunk) => (times += chunk))
    child.on('error', (error) => resolve({ ok: false, output: error.message, last: error.message }))
    child.on('close', (code) => {
      const output = Buffer.concat(chunks).toString().trimEnd()
      const last = output.split('\n').slice(-LAST_LINES).join('\n')
      resolve({ ok: code === 0, output, last, computed: parseTimes(times) })
    })
  })
}

/** Seconds of user and system of the children, the second line of `times`; undefined where it is missing. */
function parseTimes(text) {
  const parts = (text.split('\n')[1] ?? '').split(' ').map((part) => /^(\d+)m(\d+\.\d+)s$/.exec(part))
  if (parts.length < 2 || parts.includes(null)) return undefined
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0)
}
