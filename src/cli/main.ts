#!/usr/bin/env node
import { createProcessContext } from '../devnode/command/process-context.js'
import { runCli } from './run-cli.js'

process.exitCode = await runCli(process.argv.slice(2), createProcessContext())
