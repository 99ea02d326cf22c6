/** What a node reports about its machine and process. */
export interface Machine {
  /** Bytes. */
  totalMemory(): number
  process(): ProcessUsage
}

export interface ProcessUsage {
  /** Bytes. */
  readonly residentSetSize: number
  readonly virtualMemorySize: number
  /** Share of one core since the start. */
  readonly cpuUsage: number
}

/** For a node that cannot measure itself. */
export const UNKNOWN_MACHINE: Machine = {
  totalMemory: () => 0,
  process: () => ({ residentSetSize: 0, virtualMemorySize: 0, cpuUsage: 0 }),
}
