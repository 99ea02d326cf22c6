/** The public home of the project: an https URL. */
export const REPOSITORY: string

/** Whether the placeholder was replaced. Nothing is published before. */
export const isPublic: boolean

/** What a published package.json says about the repository. */
export function repositoryFields(directory?: string): Readonly<Record<string, unknown>>
