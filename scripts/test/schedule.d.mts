export interface Job {
  readonly name: string
  readonly processes?: number
  readonly after?: readonly string[]
  readonly apart?: readonly string[]
}
export function schedule<T extends Job>(
  jobs: readonly T[],
  capacity: number,
  run: (job: T) => Promise<boolean>,
): Promise<T[]>
