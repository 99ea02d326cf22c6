import type { Plugin } from 'vite'

export function keepWorkers(): Plugin

/** The code of the shared worker, minified. */
export function bundleSharedWorker(): Promise<string>
