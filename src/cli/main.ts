#!/usr/bin/env node
import { once } from 'node:events'
import { runCli } from './run-cli.js'

process.exitCode = await runCli(process.argv.slice(2), {
  print: (line) => void process.stdout.write(`${line}\n`),
  printError: (line) => void process.stderr.write(`${line}\n`),
  async untilInterrupted() {
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  },
})
