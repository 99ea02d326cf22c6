#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import process from 'node:process'
import * as prompts from '@clack/prompts'
import { run } from './run.js'

process.exitCode = await run(process.argv.slice(2), {
  cwd: process.cwd(),
  templates: fileURLToPath(new URL('../templates', import.meta.url)),
  userAgent: process.env.npm_config_user_agent,
  prompts: process.stdin.isTTY && process.stdout.isTTY ? prompts : undefined,
  print: (text) => console.log(text),
  printError: (text) => console.error(text),
})
