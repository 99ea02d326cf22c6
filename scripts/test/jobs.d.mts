import type { Job } from './schedule.mjs'

/** Processes that compute at the same time in a run of `npm test` on this machine. */
export declare const CAPACITY: number

/** The packed library, which several jobs read. */
export declare const TARBALL: string

/** The jobs of `npm test`, or of `npm run test:full`. */
export declare function jobsOf(isFull: boolean): Job[]
