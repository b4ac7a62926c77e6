import { Anchor } from '@mantine/core';

/** The words and the link that the licence of the countries of addresses asks for; they are not translated. */
export function GeoCredit() {
  return (
    <Anchor href="https://db-ip.com" target="_blank" rel="noopener noreferrer" size="xs">
      IP Geolocation by DB-IP
    </Anchor>
  );
}

/** Whether the result of a query shows countries of addresses. */
export function showsGeo(query: string): boolean {
  return /\bgeo_info_from_ip_address\s*\(/i.test(query);
}
