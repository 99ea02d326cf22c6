import { existsSync } from 'node:fs'
import process from 'node:process'

/** The whole browser, which also runs extensions: `CHROMIUM`, else Debian's. */
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Debian's build of the same version without windows and extensions: its browser process computes 40 % less. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

/** The browser for pages: `CHROMIUM`, else the one without windows where it is installed, else the whole one. */
export const CHROMIUM_FOR_PAGES =
  process.env.CHROMIUM === undefined && existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : CHROMIUM
