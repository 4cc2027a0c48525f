/*
 * The constraints that each draft puts on schemas, under the identifiers and
 * names that references use. Titles, comments and defaults are left out.
 */
#include "schema/metaschema.h"

/* JSON as it stands. */
#define TEXT(...) TC_STR_INIT(#__VA_ARGS__)

struct metaschema {
    const char *uri; /* behind the scheme */
    struct tc_str text;
};

static const struct metaschema DRAFTS[] = {
    {"json-schema.org/draft-04/schema",
     TEXT({
         "id": "http://json-schema.org/draft-04/schema#", "$schema": "http://json-schema.org/draft-04/schema#",
         "type": "object",
         "definitions": {
             "schemaArray": {"type": "array", "minItems": 1, "items": {"$ref": "#"}},
             "positiveInteger": {"type": "integer", "minimum": 0},
             "positiveIntegerDefault0": {"allOf": [{"$ref": "#/definitions/positiveInteger"}, {"default": 0}]},
             "simpleTypes": {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]},
             "stringArray": {"type": "array", "items": {"type": "string"}, "minItems": 1, "uniqueItems": true}
         },
         "properties": {
             "id": {"type": "string"}, "$schema": {"type": "string"}, "title": {"type": "string"},
             "description": {"type": "string"}, "default": {}, "format": {"type": "string"},
             "multipleOf": {"type": "number", "minimum": 0, "exclusiveMinimum": true},
             "maximum": {"type": "number"}, "exclusiveMaximum": {"type": "boolean"},
             "minimum": {"type": "number"}, "exclusiveMinimum": {"type": "boolean"},
             "maxLength": {"$ref": "#/definitions/positiveInteger"},
             "minLength": {"$ref": "#/definitions/positiveIntegerDefault0"},
             "pattern": {"type": "string", "format": "regex"},
             "additionalItems": {"anyOf": [{"type": "boolean"}, {"$ref": "#"}]},
             "items": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/schemaArray"}]},
             "maxItems": {"$ref": "#/definitions/positiveInteger"},
             "minItems": {"$ref": "#/definitions/positiveIntegerDefault0"},
             "uniqueItems": {"type": "boolean"},
             "maxProperties": {"$ref": "#/definitions/positiveInteger"},
             "minProperties": {"$ref": "#/definitions/positiveIntegerDefault0"},
             "required": {"$ref": "#/definitions/stringArray"},
             "additionalProperties": {"anyOf": [{"type": "boolean"}, {"$ref": "#"}]},
             "definitions": {"type": "object", "additionalProperties": {"$ref": "#"}},
             "properties": {"type": "object", "additionalProperties": {"$ref": "#"}},
             "patternProperties": {"type": "object", "additionalProperties": {"$ref": "#"}},
             "dependencies": {
                 "type": "object",
                 "additionalProperties": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/stringArray"}]}
             },
             "enum": {"type": "array", "minItems": 1, "uniqueItems": true},
             "type": {
                 "anyOf": [
                     {"$ref": "#/definitions/simpleTypes"},
                     {"type": "array", "items": {"$ref": "#/definitions/simpleTypes"}, "minItems": 1,
                      "uniqueItems": true}
                 ]
             },
             "allOf": {"$ref": "#/definitions/schemaArray"}, "anyOf": {"$ref": "#/definitions/schemaArray"},
             "oneOf": {"$ref": "#/definitions/schemaArray"}, "not": {"$ref": "#"}
         },
         "dependencies": {"exclusiveMaximum": ["maximum"], "exclusiveMinimum": ["minimum"]}
     })},
    {"json-schema.org/draft-06/schema",
     TEXT({
         "$id": "http://json-schema.org/draft-06/schema#", "$schema": "http://json-schema.org/draft-06/schema#",
         "type": ["object", "boolean"],
         "definitions": {
             "schemaArray": {"type": "array", "minItems": 1, "items": {"$ref": "#"}},
             "nonNegativeInteger": {"type": "integer", "minimum": 0},
             "nonNegativeIntegerDefault0": {"allOf": [{"$ref": "#/definitions/nonNegativeInteger"}, {"default": 0}]},
             "simpleTypes": {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]},
             "stringArray": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}
         },
         "properties": {
             "$id": {"type": "string", "format": "uri-reference"}, "$schema": {"type": "string", "format": "uri"},
             "$ref": {"type": "string", "format": "uri-reference"}, "title": {"type": "string"},
             "description": {"type": "string"}, "default": {}, "examples": {"type": "array", "items": {}},
             "format": {"type": "string"}, "multipleOf": {"type": "number", "exclusiveMinimum": 0},
             "maximum": {"type": "number"}, "exclusiveMaximum": {"type": "number"},
             "minimum": {"type": "number"}, "exclusiveMinimum": {"type": "number"},
             "maxLength": {"$ref": "#/definitions/nonNegativeInteger"},
             "minLength": {"$ref": "#/definitions/nonNegativeIntegerDefault0"},
             "pattern": {"type": "string", "format": "regex"},
             "additionalItems": {"$ref": "#"},
             "items": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/schemaArray"}]},
             "maxItems": {"$ref": "#/definitions/nonNegativeInteger"},
             "minItems": {"$ref": "#/definitions/nonNegativeIntegerDefault0"},
             "uniqueItems": {"type": "boolean"}, "contains": {"$ref": "#"},
             "maxProperties": {"$ref": "#/definitions/nonNegativeInteger"},
             "minProperties": {"$ref": "#/definitions/nonNegativeIntegerDefault0"},
             "required": {"$ref": "#/definitions/stringArray"}, "additionalProperties": {"$ref": "#"},
             "definitions": {"type": "object", "additionalProperties": {"$ref": "#"}},
             "properties": {"type": "object", "additionalProperties": {"$ref": "#"}},
             "patternProperties": {
                 "type": "object", "additionalProperties": {"$ref": "#"}, "propertyNames": {"format": "regex"}
             },
             "dependencies": {
                 "type": "object",
                 "additionalProperties": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/stringArray"}]}
             },
             "propertyNames": {"$ref": "#"}, "const": {},
             "enum": {"type": "array", "minItems": 1, "uniqueItems": true},
             "type": {
                 "anyOf": [
                     {"$ref": "#/definitions/simpleTypes"},
                     {"type": "array", "items": {"$ref": "#/definitions/simpleTypes"}, "minItems": 1,
                      "uniqueItems": true}
                 ]
             },
             "allOf": {"$ref": "#/definitions/schemaArray"}, "anyOf": {"$ref": "#/definitions/schemaArray"},
             "oneOf": {"$ref": "#/definitions/schemaArray"}, "not": {"$ref": "#"}
         }
     })},
    {"json-schema.org/draft-07/schema",
     TEXT({
         "$id": "http://json-schema.org/draft-07/schema#", "$schema": "http://json-schema.org/draft-07/schema#",
         "type": ["object", "boolean"],
         "definitions": {
             "schemaArray": {"type": "array", "minItems": 1, "items": {"$ref": "#"}},
             "nonNegativeInteger": {"type": "integer", "minimum": 0},
             "nonNegativeIntegerDefault0": {"allOf": [{"$ref": "#/definitions/nonNegativeInteger"}, {"default": 0}]},
             "simpleTypes": {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]},
             "stringArray": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}
         },
         "properties": {
             "$id": {"type": "string", "format": "uri-reference"}, "$schema": {"type": "string", "format": "uri"},
             "$ref": {"type": "string", "format": "uri-reference"}, "$comment": {"type": "string"},
             "title": {"type": "string"}, "description": {"type": "string"}, "default": true,
             "readOnly": {"type": "boolean"}, "writeOnly": {"type": "boolean"},
             "examples": {"type": "array", "items": true}, "format": {"type": "string"},
             "contentMediaType": {"type": "string"}, "contentEncoding": {"type": "string"},
             "multipleOf": {"type": "number", "exclusiveMinimum": 0},
             "maximum": {"type": "number"}, "exclusiveMaximum": {"type": "number"},
             "minimum": {"type": "number"}, "exclusiveMinimum": {"type": "number"},
             "maxLength": {"$ref": "#/definitions/nonNegativeInteger"},
             "minLength": {"$ref": "#/definitions/nonNegativeIntegerDefault0"},
             "pattern": {"type": "string", "format": "regex"},
             "additionalItems": {"$ref": "#"},
             "items": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/schemaArray"}]},
             "maxItems": {"$ref": "#/definitions/nonNegativeInteger"},
             "minItems": {"$ref": "#/definitions/nonNegativeIntegerDefault0"},
             "uniqueItems": {"type": "boolean"}, "contains": {"$ref": "#"},
             "maxProperties": {"$ref": "#/definitions/nonNegativeInteger"},
             "minProperties": {"$ref": "#/definitions/nonNegativeIntegerDefault0"},
             "required": {"$ref": "#/definitions/stringArray"}, "additionalProperties": {"$ref": "#"},
             "definitions": {"type": "object", "additionalProperties": {"$ref": "#"}},
             "properties": {"type": "object", "additionalProperties": {"$ref": "#"}},
             "patternProperties": {
                 "type": "object", "additionalProperties": {"$ref": "#"}, "propertyNames": {"format": "regex"}
             },
             "dependencies": {
                 "type": "object",
                 "additionalProperties": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/stringArray"}]}
             },
             "propertyNames": {"$ref": "#"}, "const": true, "enum": {"type": "array", "items": true},
             "type": {
                 "anyOf": [
                     {"$ref": "#/definitions/simpleTypes"},
                     {"type": "array", "items": {"$ref": "#/definitions/simpleTypes"}, "minItems": 1,
                      "uniqueItems": true}
                 ]
             },
             "if": {"$ref": "#"}, "then": {"$ref": "#"}, "else": {"$ref": "#"},
             "allOf": {"$ref": "#/definitions/schemaArray"}, "anyOf": {"$ref": "#/definitions/schemaArray"},
             "oneOf": {"$ref": "#/definitions/schemaArray"}, "not": {"$ref": "#"}
         }
     })},
    {"json-schema.org/draft/2019-09/schema",
     TEXT({
         "$schema": "https://json-schema.org/draft/2019-09/schema",
         "$id": "https://json-schema.org/draft/2019-09/schema",
         "$vocabulary": {
             "https://json-schema.org/draft/2019-09/vocab/core": true,
             "https://json-schema.org/draft/2019-09/vocab/applicator": true,
             "https://json-schema.org/draft/2019-09/vocab/validation": true,
             "https://json-schema.org/draft/2019-09/vocab/meta-data": true,
             "https://json-schema.org/draft/2019-09/vocab/format": false,
             "https://json-schema.org/draft/2019-09/vocab/content": true
         },
         "$recursiveAnchor": true, "type": ["object", "boolean"],
         "allOf": [
             {"$ref": "meta/core"}, {"$ref": "meta/applicator"}, {"$ref": "meta/validation"},
             {"$ref": "meta/meta-data"}, {"$ref": "meta/format"}, {"$ref": "meta/content"}
         ],
         "properties": {
             "definitions": {"type": "object", "additionalProperties": {"$recursiveRef": "#"}},
             "dependencies": {
                 "type": "object",
                 "additionalProperties": {
                     "anyOf": [{"$recursiveRef": "#"}, {"$ref": "meta/validation#/$defs/stringArray"}]
                 }
             }
         }
     })},
    {"json-schema.org/draft/2020-12/schema",
     TEXT({
         "$schema": "https://json-schema.org/draft/2020-12/schema",
         "$id": "https://json-schema.org/draft/2020-12/schema",
         "$vocabulary": {
             "https://json-schema.org/draft/2020-12/vocab/core": true,
             "https://json-schema.org/draft/2020-12/vocab/applicator": true,
             "https://json-schema.org/draft/2020-12/vocab/unevaluated": true,
             "https://json-schema.org/draft/2020-12/vocab/validation": true,
             "https://json-schema.org/draft/2020-12/vocab/meta-data": true,
             "https://json-schema.org/draft/2020-12/vocab/format-annotation": true,
             "https://json-schema.org/draft/2020-12/vocab/content": true
         },
         "$dynamicAnchor": "meta", "type": ["object", "boolean"],
         "allOf": [
             {"$ref": "meta/core"}, {"$ref": "meta/applicator"}, {"$ref": "meta/unevaluated"},
             {"$ref": "meta/validation"}, {"$ref": "meta/meta-data"}, {"$ref": "meta/format-annotation"},
             {"$ref": "meta/content"}
         ],
         "properties": {
             "definitions": {"type": "object", "additionalProperties": {"$dynamicRef": "#meta"}},
             "dependencies": {
                 "type": "object",
                 "additionalProperties": {
                     "anyOf": [{"$dynamicRef": "#meta"}, {"$ref": "meta/validation#/$defs/stringArray"}]
                 }
             },
             "$recursiveAnchor": {"$ref": "meta/core#/$defs/anchorString"},
             "$recursiveRef": {"$ref": "meta/core#/$defs/uriReferenceString"}
         }
     })},
};

static const struct metaschema VOCABULARIES[] = {
    {"json-schema.org/draft/2019-09/meta/core",
     TEXT({
         "$schema": "https://json-schema.org/draft/2019-09/schema",
         "$id": "https://json-schema.org/draft/2019-09/meta/core",
         "$vocabulary": {"https://json-schema.org/draft/2019-09/vocab/core": true},
         "$recursiveAnchor": true, "type": ["object", "boolean"],
         "properties": {
             "$id": {"type": "string", "format": "uri-reference", "pattern": "^[^#]*#?$"},
             "$schema": {"type": "string", "format": "uri"},
             "$anchor": {"type": "string", "pattern": "^[A-Za-z][-A-Za-z0-9.:_]*$"},
             "$ref": {"type": "string", "format": "uri-reference"},
             "$recursiveRef": {"type": "string", "format": "uri-reference"},
             "$recursiveAnchor": {"type": "boolean"},
             "$vocabulary": {
                 "type": "object", "propertyNames": {"type": "string", "format": "uri"},
                 "additionalProperties": {"type": "boolean"}
             },
             "$comment": {"type": "string"},
             "$defs": {"type": "object", "additionalProperties": {"$recursiveRef": "#"}}
         }
     })},
    {"json-schema.org/draft/2019-09/meta/applicator",
     TEXT({
         "$schema": "https://json-schema.org/draft/2019-09/schema",
         "$id": "https://json-schema.org/draft/2019-09/meta/applicator",
         "$vocabulary": {"https://json-schema.org/draft/2019-09/vocab/applicator": true},
         "$recursiveAnchor": true, "type": ["object", "boolean"],
         "properties": {
             "additionalItems": {"$recursiveRef": "#"}, "unevaluatedItems": {"$recursiveRef": "#"},
             "items": {"anyOf": [{"$recursiveRef": "#"}, {"$ref": "#/$defs/schemaArray"}]},
             "contains": {"$recursiveRef": "#"}, "additionalProperties": {"$recursiveRef": "#"},
             "unevaluatedProperties": {"$recursiveRef": "#"},
             "properties": {"type": "object", "additionalProperties": {"$recursiveRef": "#"}},
             "patternProperties": {
                 "type": "object", "additionalProperties": {"$recursiveRef": "#"}, "propertyNames": {"format": "regex"}
             },
             "dependentSchemas": {"type": "object", "additionalProperties": {"$recursiveRef": "#"}},
             "propertyNames": {"$recursiveRef": "#"}, "if": {"$recursiveRef": "#"}, "then": {"$recursiveRef": "#"},
             "else": {"$recursiveRef": "#"}, "allOf": {"$ref": "#/$defs/schemaArray"},
             "anyOf": {"$ref": "#/$defs/schemaArray"}, "oneOf": {"$ref": "#/$defs/schemaArray"},
             "not": {"$recursiveRef": "#"}
         },
         "$defs": {"schemaArray": {"type": "array", "minItems": 1, "items": {"$recursiveRef": "#"}}}
     })},
    {"json-schema.org/draft/2019-09/meta/validation",
     TEXT({
         "$schema": "https://json-schema.org/draft/2019-09/schema",
         "$id": "https://json-schema.org/draft/2019-09/meta/validation",
         "$vocabulary": {"https://json-schema.org/draft/2019-09/vocab/validation": true},
         "$recursiveAnchor": true, "type": ["object", "boolean"],
         "properties": {
             "multipleOf": {"type": "number", "exclusiveMinimum": 0},
             "maximum": {"type": "number"}, "exclusiveMaximum": {"type": "number"},
             "minimum": {"type": "number"}, "exclusiveMinimum": {"type": "number"},
             "maxLength": {"$ref": "#/$defs/nonNegativeInteger"},
             "minLength": {"$ref": "#/$defs/nonNegativeIntegerDefault0"},
             "pattern": {"type": "string", "format": "regex"},
             "maxItems": {"$ref": "#/$defs/nonNegativeInteger"},
             "minItems": {"$ref": "#/$defs/nonNegativeIntegerDefault0"}, "uniqueItems": {"type": "boolean"},
             "maxContains": {"$ref": "#/$defs/nonNegativeInteger"},
             "minContains": {"$ref": "#/$defs/nonNegativeInteger"},
             "maxProperties": {"$ref": "#/$defs/nonNegativeInteger"},
             "minProperties": {"$ref": "#/$defs/nonNegativeIntegerDefault0"},
             "required": {"$ref": "#/$defs/stringArray"},
             "dependentRequired": {"type": "object", "additionalProperties": {"$ref": "#/$defs/stringArray"}},
             "const": true, "enum": {"type": "array", "items": true},
             "type": {
                 "anyOf": [
                     {"$ref": "#/$defs/simpleTypes"},
                     {"type": "array", "items": {"$ref": "#/$defs/simpleTypes"}, "minItems": 1, "uniqueItems": true}
                 ]
             }
         },
         "$defs": {
             "nonNegativeInteger": {"type": "integer", "minimum": 0},
             "nonNegativeIntegerDefault0": {"$ref": "#/$defs/nonNegativeInteger", "default": 0},
             "simpleTypes": {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]},
             "stringArray": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}
         }
     })},
    {"json-schema.org/draft/2019-09/meta/meta-data",
     TEXT({
         "$schema": "https://json-schema.org/draft/2019-09/schema",
         "$id": "https://json-schema.org/draft/2019-09/meta/meta-data",
         "$vocabulary": {"https://json-schema.org/draft/2019-09/vocab/meta-data": true},
         "$recursiveAnchor": true, "type": ["object", "boolean"],
         "properties": {
             "title": {"type": "string"}, "description": {"type": "string"}, "default": true,
             "deprecated": {"type": "boolean"}, "readOnly": {"type": "boolean"}, "writeOnly": {"type": "boolean"},
             "examples": {"type": "array", "items": true}
         }
     })},
    {"json-schema.org/draft/2019-09/meta/format",
     TEXT({
         "$schema": "https://json-schema.org/draft/2019-09/schema",
         "$id": "https://json-schema.org/draft/2019-09/meta/format",
         "$vocabulary": {"https://json-schema.org/draft/2019-09/vocab/format": true},
         "$recursiveAnchor": true, "type": ["object", "boolean"], "properties": {"format": {"type": "string"}}
     })},
    {"json-schema.org/draft/2019-09/meta/content",
     TEXT({
         "$schema": "https://json-schema.org/draft/2019-09/schema",
         "$id": "https://json-schema.org/draft/2019-09/meta/content",
         "$vocabulary": {"https://json-schema.org/draft/2019-09/vocab/content": true},
         "$recursiveAnchor": true, "type": ["object", "boolean"],
         "properties": {
             "contentMediaType": {"type": "string"}, "contentEncoding": {"type": "string"},
             "contentSchema": {"$recursiveRef": "#"}
         }
     })},
    {"json-schema.org/draft/2020-12/meta/core",
     TEXT({
         "$schema": "https://json-schema.org/draft/2020-12/schema",
         "$id": "https://json-schema.org/draft/2020-12/meta/core",
         "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/core": true},
         "$dynamicAnchor": "meta", "type": ["object", "boolean"],
         "properties": {
             "$id": {"$ref": "#/$defs/uriReferenceString", "pattern": "^[^#]*#?$"},
             "$schema": {"$ref": "#/$defs/uriString"}, "$ref": {"$ref": "#/$defs/uriReferenceString"},
             "$anchor": {"$ref": "#/$defs/anchorString"}, "$dynamicRef": {"$ref": "#/$defs/uriReferenceString"},
             "$dynamicAnchor": {"$ref": "#/$defs/anchorString"},
             "$vocabulary": {
                 "type": "object", "propertyNames": {"$ref": "#/$defs/uriString"},
                 "additionalProperties": {"type": "boolean"}
             },
             "$comment": {"type": "string"},
             "$defs": {"type": "object", "additionalProperties": {"$dynamicRef": "#meta"}}
         },
         "$defs": {
             "anchorString": {"type": "string", "pattern": "^[A-Za-z_][-A-Za-z0-9._]*$"},
             "uriString": {"type": "string", "format": "uri"},
             "uriReferenceString": {"type": "string", "format": "uri-reference"}
         }
     })},
    {"json-schema.org/draft/2020-12/meta/applicator",
     TEXT({
         "$schema": "https://json-schema.org/draft/2020-12/schema",
         "$id": "https://json-schema.org/draft/2020-12/meta/applicator",
         "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/applicator": true},
         "$dynamicAnchor": "meta", "type": ["object", "boolean"],
         "properties": {
             "prefixItems": {"$ref": "#/$defs/schemaArray"}, "items": {"$dynamicRef": "#meta"},
             "contains": {"$dynamicRef": "#meta"}, "additionalProperties": {"$dynamicRef": "#meta"},
             "properties": {"type": "object", "additionalProperties": {"$dynamicRef": "#meta"}},
             "patternProperties": {
                 "type": "object", "additionalProperties": {"$dynamicRef": "#meta"},
                 "propertyNames": {"format": "regex"}
             },
             "dependentSchemas": {"type": "object", "additionalProperties": {"$dynamicRef": "#meta"}},
             "propertyNames": {"$dynamicRef": "#meta"}, "if": {"$dynamicRef": "#meta"},
             "then": {"$dynamicRef": "#meta"},
             "else": {"$dynamicRef": "#meta"}, "allOf": {"$ref": "#/$defs/schemaArray"},
             "anyOf": {"$ref": "#/$defs/schemaArray"}, "oneOf": {"$ref": "#/$defs/schemaArray"},
             "not": {"$dynamicRef": "#meta"}
         },
         "$defs": {"schemaArray": {"type": "array", "minItems": 1, "items": {"$dynamicRef": "#meta"}}}
     })},
    {"json-schema.org/draft/2020-12/meta/unevaluated",
     TEXT({
         "$schema": "https://json-schema.org/draft/2020-12/schema",
         "$id": "https://json-schema.org/draft/2020-12/meta/unevaluated",
         "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/unevaluated": true},
         "$dynamicAnchor": "meta", "type": ["object", "boolean"],
         "properties": {
             "unevaluatedItems": {"$dynamicRef": "#meta"}, "unevaluatedProperties": {"$dynamicRef": "#meta"}
         }
     })},
    {"json-schema.org/draft/2020-12/meta/validation",
     TEXT({
         "$schema": "https://json-schema.org/draft/2020-12/schema",
         "$id": "https://json-schema.org/draft/2020-12/meta/validation",
         "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/validation": true},
         "$dynamicAnchor": "meta", "type": ["object", "boolean"],
         "properties": {
             "type": {
                 "anyOf": [
                     {"$ref": "#/$defs/simpleTypes"},
                     {"type": "array", "items": {"$ref": "#/$defs/simpleTypes"}, "minItems": 1, "uniqueItems": true}
                 ]
             },
             "const": true, "enum": {"type": "array", "items": true},
             "multipleOf": {"type": "number", "exclusiveMinimum": 0},
             "maximum": {"type": "number"}, "exclusiveMaximum": {"type": "number"},
             "minimum": {"type": "number"}, "exclusiveMinimum": {"type": "number"},
             "maxLength": {"$ref": "#/$defs/nonNegativeInteger"},
             "minLength": {"$ref": "#/$defs/nonNegativeIntegerDefault0"},
             "pattern": {"type": "string", "format": "regex"},
             "maxItems": {"$ref": "#/$defs/nonNegativeInteger"},
             "minItems": {"$ref": "#/$defs/nonNegativeIntegerDefault0"}, "uniqueItems": {"type": "boolean"},
             "maxContains": {"$ref": "#/$defs/nonNegativeInteger"},
             "minContains": {"$ref": "#/$defs/nonNegativeInteger"},
             "maxProperties": {"$ref": "#/$defs/nonNegativeInteger"},
             "minProperties": {"$ref": "#/$defs/nonNegativeIntegerDefault0"},
             "required": {"$ref": "#/$defs/stringArray"},
             "dependentRequired": {"type": "object", "additionalProperties": {"$ref": "#/$defs/stringArray"}}
         },
         "$defs": {
             "nonNegativeInteger": {"type": "integer", "minimum": 0},
             "nonNegativeIntegerDefault0": {"$ref": "#/$defs/nonNegativeInteger", "default": 0},
             "simpleTypes": {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]},
             "stringArray": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}
         }
     })},
    {"json-schema.org/draft/2020-12/meta/meta-data",
     TEXT({
         "$schema": "https://json-schema.org/draft/2020-12/schema",
         "$id": "https://json-schema.org/draft/2020-12/meta/meta-data",
         "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/meta-data": true},
         "$dynamicAnchor": "meta", "type": ["object", "boolean"],
         "properties": {
             "title": {"type": "string"}, "description": {"type": "string"}, "default": true,
             "deprecated": {"type": "boolean"}, "readOnly": {"type": "boolean"}, "writeOnly": {"type": "boolean"},
             "examples": {"type": "array", "items": true}
         }
     })},
    {"json-schema.org/draft/2020-12/meta/format-annotation",
     TEXT({
         "$schema": "https://json-schema.org/draft/2020-12/schema",
         "$id": "https://json-schema.org/draft/2020-12/meta/format-annotation",
         "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/format-annotation": true},
         "$dynamicAnchor": "meta", "type": ["object", "boolean"], "properties": {"format": {"type": "string"}}
     })},
    {"json-schema.org/draft/2020-12/meta/format-assertion",
     TEXT({
         "$schema": "https://json-schema.org/draft/2020-12/schema",
         "$id": "https://json-schema.org/draft/2020-12/meta/format-assertion",
         "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/format-assertion": true},
         "$dynamicAnchor": "meta", "type": ["object", "boolean"], "properties": {"format": {"type": "string"}}
     })},
    {"json-schema.org/draft/2020-12/meta/content",
     TEXT({
         "$schema": "https://json-schema.org/draft/2020-12/schema",
         "$id": "https://json-schema.org/draft/2020-12/meta/content",
         "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/content": true},
         "$dynamicAnchor": "meta", "type": ["object", "boolean"],
         "properties": {
             "contentEncoding": {"type": "string"}, "contentMediaType": {"type": "string"},
             "contentSchema": {"$dynamicRef": "#meta"}
         }
     })},
};

static struct tc_str find_in(const struct metaschema *rows, size_t n, struct tc_str uri)
{
    for (size_t i = 0; i < n; i++)
        if (tc_str_is(uri, rows[i].uri))
            return rows[i].text;
    return tc_str_n(NULL, 0);
}

struct tc_str tc_metaschema_find(struct tc_str uri)
{
    struct tc_str text;

    if (tc_str_starts(uri, TC_STR("http://")))
        uri = tc_str_from(uri, 7);
    else if (tc_str_starts(uri, TC_STR("https://")))
        uri = tc_str_from(uri, 8);
    else
        return tc_str_n(NULL, 0);
    text = find_in(DRAFTS, sizeof DRAFTS / sizeof DRAFTS[0], uri);
    return text.p ? text : find_in(VOCABULARIES, sizeof VOCABULARIES / sizeof VOCABULARIES[0], uri);
}
