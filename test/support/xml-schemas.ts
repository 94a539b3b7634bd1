import { validateXML } from 'xmllint-wasm';

const schemaOf = (namespace: string, elements: string): string => `<?xml version="1.0"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="${namespace}" xmlns="${namespace}" elementFormDefault="qualified">
${elements}
</xs:schema>`;

/** sitemaps.org, as far as the service uses it: https addresses of at most 2,048 characters, and times. */
const sitemap = schemaOf(
  'http://www.sitemaps.org/schemas/sitemap/0.9',
  `<xs:simpleType name="loc"><xs:restriction base="xs:anyURI"><xs:pattern value="https?://.+"/><xs:maxLength value="2048"/></xs:restriction></xs:simpleType>
<xs:complexType name="entry"><xs:sequence><xs:element name="loc" type="loc"/><xs:element name="lastmod" type="xs:dateTime" minOccurs="0"/></xs:sequence></xs:complexType>
<xs:element name="urlset"><xs:complexType><xs:sequence><xs:element name="url" type="entry" minOccurs="0" maxOccurs="50000"/></xs:sequence></xs:complexType></xs:element>
<xs:element name="sitemapindex"><xs:complexType><xs:sequence><xs:element name="sitemap" type="entry" minOccurs="0" maxOccurs="50000"/></xs:sequence></xs:complexType></xs:element>`,
);

/** Atom (RFC 4287), as far as the service uses it, in the order in which it writes. */
const atom = schemaOf(
  'http://www.w3.org/2005/Atom',
  `<xs:import namespace="http://www.w3.org/XML/1998/namespace"/>
<xs:complexType name="link"><xs:attribute name="rel" use="required"/><xs:attribute name="type" use="required"/><xs:attribute name="href" type="xs:anyURI" use="required"/></xs:complexType>
<xs:complexType name="person"><xs:sequence><xs:element name="name" type="xs:string"/><xs:element name="uri" type="xs:anyURI" minOccurs="0"/></xs:sequence></xs:complexType>
<xs:complexType name="text"><xs:simpleContent><xs:extension base="xs:string"><xs:attribute name="type" fixed="html"/></xs:extension></xs:simpleContent></xs:complexType>
<xs:complexType name="category"><xs:attribute name="term" use="required"/><xs:attribute name="label"/></xs:complexType>
<xs:element name="feed"><xs:complexType><xs:sequence>
<xs:element name="id" type="xs:anyURI"/><xs:element name="title" type="xs:string"/><xs:element name="updated" type="xs:dateTime"/>
<xs:element name="link" type="link" maxOccurs="2"/><xs:element name="author" type="person"/>
<xs:element name="entry" minOccurs="0" maxOccurs="50"><xs:complexType><xs:sequence>
<xs:element name="id" type="xs:anyURI"/><xs:element name="title" type="xs:string"/><xs:element name="link" type="link"/>
<xs:element name="published" type="xs:dateTime"/><xs:element name="updated" type="xs:dateTime"/>
<xs:element name="author" type="person" minOccurs="0"/><xs:element name="category" type="category" minOccurs="0" maxOccurs="unbounded"/>
<xs:element name="summary" type="xs:string" minOccurs="0"/><xs:any namespace="##other" processContents="skip" minOccurs="0"/><xs:element name="content" type="text" minOccurs="0"/>
</xs:sequence></xs:complexType></xs:element>
</xs:sequence><xs:anyAttribute namespace="http://www.w3.org/XML/1998/namespace" processContents="skip"/></xs:complexType></xs:element>`,
);

/** RSS 2.0, as far as the service uses it. The elements of other namespaces are not checked. */
const rss = `<?xml version="1.0"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
<xs:simpleType name="date"><xs:restriction base="xs:string"><xs:pattern value="[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT"/></xs:restriction></xs:simpleType>
<xs:element name="rss"><xs:complexType><xs:sequence><xs:element name="channel"><xs:complexType><xs:sequence>
<xs:element name="title" type="xs:string"/><xs:element name="link" type="xs:anyURI"/><xs:element name="description" type="xs:string"/>
<xs:element name="language" type="xs:language"/><xs:element name="lastBuildDate" type="date"/>
<xs:any namespace="##other" processContents="skip"/>
<xs:element name="item" minOccurs="0" maxOccurs="50"><xs:complexType><xs:sequence>
<xs:element name="title" type="xs:string"/><xs:element name="link" type="xs:anyURI"/>
<xs:element name="guid"><xs:complexType><xs:simpleContent><xs:extension base="xs:string"><xs:attribute name="isPermaLink" fixed="false"/></xs:extension></xs:simpleContent></xs:complexType></xs:element>
<xs:element name="pubDate" type="date"/>
<xs:choice minOccurs="0" maxOccurs="unbounded"><xs:element name="category" type="xs:string"/><xs:element name="description" type="xs:string"/><xs:any namespace="##other" processContents="skip"/></xs:choice>
</xs:sequence></xs:complexType></xs:element>
</xs:sequence></xs:complexType></xs:element></xs:sequence><xs:attribute name="version" fixed="2.0"/></xs:complexType></xs:element>
</xs:schema>`;

const schemas = { sitemap, atom, rss };

/** What libxml2 finds wrong in an XML file by its schema; nothing in a valid one. */
export async function mistakesIn(text: string, schema: keyof typeof schemas): Promise<string[]> {
  const { valid, errors } = await validateXML({ xml: text, schema: schemas[schema] });
  return valid ? [] : errors.map(({ message }) => message);
}
