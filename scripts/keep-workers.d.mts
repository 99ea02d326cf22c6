import type { Plugin } from 'vite'

export function keepWorkers(): Plugin
