const licence = /^https?:\/\/(?:www\.)?creativecommons\.org\/(?:licenses|publicdomain)\//i;

/** Whether an address is that of a licence by which authors let everybody use what they write. */
export const isLicence = (href: string | undefined): boolean => href !== undefined && licence.test(href);
