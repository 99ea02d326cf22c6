/** The end of a command. */
interface Ended {
  readonly ok: boolean
  readonly output: string
  /** The last lines of the output. */
  readonly last: string
  /** Processor time of its processes, in s; undefined where there is no POSIX shell. */
  readonly computed?: number | undefined
}

/** Runs a command to its end. */
export function run(
  command: string,
  args: readonly string[],
  options?: {
    /** Variables for its environment, where they are not set. */
    readonly defaults?: Readonly<Record<string, string>>
    /** A file that has its output as it comes. */
    readonly log?: string
  },
): Promise<Ended>
