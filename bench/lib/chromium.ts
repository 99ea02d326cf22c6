import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium'
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']

/** Why nothing can be measured in a browser; undefined where one is there. */
export const browserMissing = (): string | undefined =>
  existsSync(EXECUTABLE) ? undefined : `skipped, no browser at ${EXECUTABLE}`

export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath: EXECUTABLE, args: FLAGS })
