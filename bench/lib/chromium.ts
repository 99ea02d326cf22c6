import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium'
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']

/** Reason why no browser is available; undefined if there is one. */
export const browserMissing = (): string | undefined =>
  existsSync(EXECUTABLE) ? undefined : `skipped, no browser at ${EXECUTABLE}`

export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath: EXECUTABLE, args: FLAGS })
