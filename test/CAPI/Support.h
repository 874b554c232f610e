// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the C programs of the tests share: a context whose errors go to standard
// output, and printing that reads back what it printed.

#ifndef FLY_TEST_CAPI_SUPPORT_H
#define FLY_TEST_CAPI_SUPPORT_H

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A growing text.
typedef struct Text {
  char *data;
  size_t length;
} Text;

static inline void appendText(MlirStringRef part, void *userData) {
  Text *text = userData;
  text->data = realloc(text->data, text->length + part.length + 1);
  if (!text->data)
    exit(1);
  memcpy(text->data + text->length, part.data, part.length);
  text->length += part.length;
  text->data[text->length] = 0;
}

static inline MlirStringRef asString(const Text *text) {
  return mlirStringRefCreate(text->data, text->length);
}

static inline MlirStringRef str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static inline void printPart(MlirStringRef part, void *userData) {
  (void)userData;
  fwrite(part.data, 1, part.length, stdout);
}

/// Prints `attr` and whether its text reads back as the same attribute.
static inline void showAttr(const char *name, MlirAttribute attr) {
  if (mlirAttributeIsNull(attr)) {
    printf("%s: null\n", name);
    return;
  }
  Text text = {NULL, 0};
  mlirAttributePrint(attr, appendText, &text);
  MlirAttribute again =
      mlirAttributeParseGet(mlirAttributeGetContext(attr), asString(&text));
  printf("%s: %s%s\n", name, text.data,
         mlirAttributeEqual(attr, again) ? "" : " (does not read back)");
  free(text.data);
}

/// The same for a type.
static inline void showType(const char *name, MlirType type) {
  if (mlirTypeIsNull(type)) {
    printf("%s: null\n", name);
    return;
  }
  Text text = {NULL, 0};
  mlirTypePrint(type, appendText, &text);
  MlirType again = mlirTypeParseGet(mlirTypeGetContext(type), asString(&text));
  printf("%s: %s%s\n", name, text.data,
         mlirTypeEqual(type, again) ? "" : " (does not read back)");
  free(text.data);
}

static inline void showString(const char *name, MlirStringRef string) {
  printf("%s: '", name);
  printPart(string, NULL);
  printf("'\n");
}

static inline MlirLogicalResult printDiagnostic(MlirDiagnostic diagnostic,
                                                void *userData) {
  (void)userData;
  printf("error: ");
  mlirDiagnosticPrint(diagnostic, printPart, NULL);
  printf(" at ");
  mlirLocationPrint(mlirDiagnosticGetLocation(diagnostic), printPart, NULL);
  printf("\n");
  return mlirLogicalResultSuccess();
}

/// Sends the errors of `context` to standard output.
static inline void printErrors(MlirContext context) {
  mlirContextAttachDiagnosticHandler(context, printDiagnostic, NULL, NULL);
}

/// Both tests of a class: its `IsA` and its type id against what an object has.
static inline void checkAttrClass(MlirAttribute attr, bool isA, MlirTypeID id) {
  if (!isA || !mlirTypeIDEqual(mlirAttributeGetTypeID(attr), id))
    printf("wrong class\n");
}

static inline void checkTypeClass(MlirType type, bool isA, MlirTypeID id) {
  if (!isA || !mlirTypeIDEqual(mlirTypeGetTypeID(type), id))
    printf("wrong class\n");
}

#endif // FLY_TEST_CAPI_SUPPORT_H
