/** The public home of the project. A placeholder: set this one line, and everything that is published names it. */
export const REPOSITORY = 'https://github.com/OWNER/vue-chain'

/** Whether the placeholder was replaced. Nothing is published before. */
export const isPublic = !REPOSITORY.includes('/OWNER/')

/** What a published package.json says about the repository; `directory` is the folder of the package in it. */
export const repositoryFields = (directory) => ({
  repository: { type: 'git', url: `git+${REPOSITORY}.git`, ...(directory === undefined ? {} : { directory }) },
  homepage: `${REPOSITORY}#readme`,
  bugs: { url: `${REPOSITORY}/issues` },
})
