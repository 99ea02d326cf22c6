#!/usr/bin/env node
import { runCommand } from './command/command.js'
import { createProcessContext } from './command/process-context.js'

process.exitCode = await runCommand(process.argv.slice(2), createProcessContext())
