#!/usr/bin/env node
import { once } from 'node:events'
import { runCommand } from './command/command.js'

process.exitCode = await runCommand(process.argv.slice(2), {
  print: (line) => void process.stdout.write(`${line}\n`),
  printError: (line) => void process.stderr.write(`${line}\n`),
  async untilInterrupted() {
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  },
})
