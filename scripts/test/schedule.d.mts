interface Job {
  readonly name: string
  readonly cores?: number
  readonly after?: readonly string[]
}
export function schedule<T extends Job>(
  jobs: readonly T[],
  capacity: number,
  run: (job: T) => Promise<boolean>,
): Promise<T[]>
